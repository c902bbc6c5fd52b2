import { settings } from "./storage.js";
export const LANGUAGES = { es: "Español", en: "English", fr: "Français", de: "Deutsch" };
let words;
export const files = document.documentElement.dataset["files"] ?? "";
export function chosenLanguage() {
    const wanted = [settings.get("language"), ...navigator.languages.map((tag) => tag.slice(0, 2).toLowerCase())];
    return wanted.find((code) => code !== undefined && code in LANGUAGES) ?? "en";
}
export async function loadWords(language) {
    const response = await fetch(`${files}/words/${language}.json`);
    if (!response.ok)
        throw new Error(`no words: ${response.status}`);
    words = (await response.json());
    document.documentElement.lang = language;
}
export const language = () => words.language;
export function t(key, places = {}) {
    return (words.texts[key] ?? key).replace(/\{(\w+)\}/g, (_, name) => String(places[name] ?? ""));
}
export const suitName = (suit) => words.suits[suit] ?? suit;
export const kindName = (kind) => words.kinds[kind] ?? kind;
export const levelName = (level) => words.levels[level] ?? level;
export const statusName = (status) => words.status[status] ?? status;
export const meaning = (term) => words.meanings[term]?.[1];
export function split(card) {
    const [suit, number] = card.split("-");
    return [suit, Number(number)];
}
export function cardName(card) {
    const [suit, number] = split(card);
    return `${words.numbers[number] ?? number} ${words.of_suit[suit] ?? suit}`;
}
export function seatName(board, seat) {
    const found = board.seats[seat];
    const name = found?.player?.display_name ?? found?.away?.display_name;
    return name ?? (found?.robot ? t("robot", { n: seat + 1 }) : t("free_seat"));
}
export const figure = (value) => new Intl.NumberFormat(words.language).format(value).replace("-", "−");
