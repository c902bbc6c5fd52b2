// Who plays here: the client of the contract with what the browser keeps.
import { NoAnswer, Pocha, PochaError, type Guest } from "../../typescript/src/index.js";
import { t } from "./i18n.js";
import { outbox, player, settings } from "./storage.js";

const RENEW_BEFORE_MS = 5 * 24 * 3600 * 1000;

let guest = player.get();

/** The service that served this page. */
export const pocha = new Pocha({
  url: new URL(".", document.baseURI).href.replace(/\/$/, ""),
  token: () => guest?.token,
  outbox,
});

export const me = (): Guest | undefined => guest;

export async function become(name: string): Promise<void> {
  keep(undefined);
  keep(await pocha.becomeGuest(name));
  settings.set({ name });
}

export function forget(): void {
  keep(undefined);
}

/** Renew the token in good time; forget a player whom the service does not know any more. */
export async function refresh(): Promise<void> {
  if (!guest || Date.parse(guest.expires_at) - Date.now() > RENEW_BEFORE_MS) return;
  try {
    keep(await pocha.renewToken());
  } catch (error) {
    if (error instanceof PochaError && error.status === 401) keep(undefined);
  }
}

/** Say what went wrong in the language of the player. */
export function explain(error: unknown): string {
  if (error instanceof PochaError) return error.message;
  if (error instanceof NoAnswer) return t("no_answer");
  return String(error);
}

function keep(after: Guest | undefined): void {
  guest = after;
  player.set(after);
}
