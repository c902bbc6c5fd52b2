// What the browser keeps: who the player is, what was not answered yet, and settings.
import type { Command, Guest, Outbox } from "../../typescript/src/index.js";

function read<T>(name: string): T | undefined {
  try {
    return JSON.parse(localStorage.getItem(`pocha.${name}`) ?? "null") ?? undefined;
  } catch {
    return undefined;
  }
}

function write(name: string, value: unknown): void {
  try {
    if (value === undefined) localStorage.removeItem(`pocha.${name}`);
    else localStorage.setItem(`pocha.${name}`, JSON.stringify(value));
  } catch {
    // Without storage the player is a new one after a reload.
  }
}

export const player = {
  get: () => read<Guest>("player"),
  set: (guest: Guest | undefined) => write("player", guest),
};

interface Settings {
  language?: string;
  sounds?: boolean;
  motion?: boolean;
  /** By how much the pauses of what is shown are multiplied. */
  pace?: number;
  name?: string;
}

export const settings = {
  get: <K extends keyof Settings>(name: K) => (read<Settings>("settings") ?? {})[name],
  set: (changes: Settings) => write("settings", { ...read<Settings>("settings"), ...changes }),
};

export const outbox: Outbox = {
  list: () => read<Command[]>("outbox") ?? [],
  put: (command) => write("outbox", [...outbox.list().filter(({ key }) => key !== command.key), command]),
  remove: (key) => write("outbox", outbox.list().filter((command) => command.key !== key)),
};

const KEPT_GAMES = 12;

/** The games that were opened here, the latest first. */
export const games = {
  list: () => read<string[]>("games") ?? [],
  add: (id: string) => write("games", [id, ...games.list().filter((other) => other !== id)].slice(0, KEPT_GAMES)),
  remove: (id: string) => write("games", games.list().filter((other) => other !== id)),
};

const MOST_MUTED = 100;

/** The players whose words are not shown here. */
export const muted = {
  has: (player: string) => (read<string[]>("muted") ?? []).includes(player),
  set: (player: string, isMuted: boolean) => {
    const others = (read<string[]>("muted") ?? []).filter((other) => other !== player);
    write("muted", isMuted ? [player, ...others].slice(0, MOST_MUTED) : others);
  },
};
