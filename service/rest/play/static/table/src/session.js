import { NoAnswer, Pocha, PochaError } from "../../typescript/src/index.js";
import { t } from "./i18n.js";
import { outbox, player, settings } from "./storage.js";
const RENEW_BEFORE_MS = 5 * 24 * 3600 * 1000;
let guest = player.get();
export const pocha = new Pocha({
    url: new URL(".", document.baseURI).href.replace(/\/$/, ""),
    token: () => guest?.token,
    outbox,
});
export const me = () => guest;
export async function become(name) {
    keep(undefined);
    keep(await pocha.becomeGuest(name));
    settings.set({ name });
}
export function forget() {
    keep(undefined);
}
export async function refresh() {
    if (!guest || Date.parse(guest.expires_at) - Date.now() > RENEW_BEFORE_MS)
        return;
    try {
        keep(await pocha.renewToken());
    }
    catch (error) {
        if (error instanceof PochaError && error.status === 401)
            keep(undefined);
    }
}
export function explain(error) {
    if (error instanceof PochaError)
        return error.message;
    if (error instanceof NoAnswer)
        return t("no_answer");
    return String(error);
}
function keep(after) {
    guest = after;
    player.set(after);
}
