// The words of the service in the language of the player: one file for each language, made from the same source as its problems.
import type { Board, Card, Suit } from "../../typescript/src/index.js";
import { settings } from "./storage.js";

interface Words {
  language: string;
  texts: Record<string, string>;
  suits: Record<string, string>;
  of_suit: Record<string, string>;
  numbers: Record<string, string>;
  kinds: Record<string, string>;
  levels: Record<string, string>;
  status: Record<string, string>;
  meanings: Record<string, [word: string, meaning: string]>;
}

export const LANGUAGES: Record<string, string> = { es: "Español", en: "English", fr: "Français", de: "Deutsch" };

let words: Words;

/** Where the files of this page are. */
export const files = document.documentElement.dataset["files"] ?? "";

/** Return the language that was chosen, or the first one of the browser that there is. */
export function chosenLanguage(): string {
  const wanted = [settings.get("language"), ...navigator.languages.map((tag) => tag.slice(0, 2).toLowerCase())];
  return wanted.find((code): code is string => code !== undefined && code in LANGUAGES) ?? "en";
}

export async function loadWords(language: string): Promise<void> {
  const response = await fetch(`${files}/words/${language}.json`);
  if (!response.ok) throw new Error(`no words: ${response.status}`);
  words = (await response.json()) as Words;
  document.documentElement.lang = language;
}

export const language = () => words.language;

/** Return a text with its places filled. */
export function t(key: string, places: Record<string, string | number> = {}): string {
  return (words.texts[key] ?? key).replace(/\{(\w+)\}/g, (_, name: string) => String(places[name] ?? ""));
}

export const suitName = (suit: Suit) => words.suits[suit] ?? suit;
export const kindName = (kind: string) => words.kinds[kind] ?? kind;
export const levelName = (level: string) => words.levels[level] ?? level;
export const statusName = (status: string) => words.status[status] ?? status;
/** Return the meaning of a term of the glossary, if there is one. */
export const meaning = (term: string): string | undefined => words.meanings[term]?.[1];

export function split(card: Card): [Suit, number] {
  const [suit, number] = card.split("-");
  return [suit as Suit, Number(number)];
}

export function cardName(card: Card): string {
  const [suit, number] = split(card);
  return `${words.numbers[number] ?? number} ${words.of_suit[suit] ?? suit}`;
}

export function seatName(board: Board, seat: number): string {
  const found = board.seats[seat];
  const name = found?.player?.display_name ?? found?.away?.display_name;
  return name ?? (found?.robot ? t("robot", { n: seat + 1 }) : t("free_seat"));
}

/** Return a number with the minus sign and groups of the language. */
export const figure = (value: number) => new Intl.NumberFormat(words.language).format(value).replace("-", "−");
