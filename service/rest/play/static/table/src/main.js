import { explain, me, pocha, refresh } from "./session.js";
import { Home, Welcome } from "./home.js";
import { Joining } from "./joining.js";
import { chosenLanguage, LANGUAGES, language, loadWords, t } from "./i18n.js";
import { Sprite } from "./cards.js";
import { Replay } from "./replay.js";
import { Table } from "./table.js";
import { Icon } from "./parts.js";
import { settings } from "./storage.js";
import { h, render, useEffect, useState } from "./vendor/preact.js";
function useRoute() {
    const [route, setRoute] = useState(location.hash);
    useEffect(() => {
        const changed = () => setRoute(location.hash);
        addEventListener("hashchange", changed);
        return () => removeEventListener("hashchange", changed);
    }, []);
    return route.replace(/^#\/?/, "").split("/").filter(Boolean);
}
const PACES = [[1, "pace_calm"], [0.4, "pace_quick"], [0, "pace_instant"]];
function App() {
    const [, renew] = useState(0);
    const [view, ...parts] = useRoute();
    const again = () => renew((count) => count + 1);
    const setLanguage = async (code) => {
        settings.set({ language: code });
        await loadWords(code);
        pocha.language = code;
        again();
    };
    const setMotion = (isOn) => {
        settings.set({ motion: isOn });
        applyMotion();
        again();
    };
    const setSounds = (isOn) => {
        settings.set({ sounds: isOn });
        again();
    };
    const setPace = (pace) => {
        settings.set({ pace });
        again();
    };
    const tools = (h("div", { class: "tools" },
        h("label", null,
            h("span", { class: "hidden" }, t("language")),
            h("select", { name: "language", value: language(), onChange: (event) => void setLanguage(event.currentTarget.value) }, Object.entries(LANGUAGES).map(([code, name]) => h("option", { key: code, value: code, selected: code === language() }, name)))),
        h(Toggle, { label: t("sounds"), signs: ["sounds", "silence"], isOn: settings.get("sounds") ?? false, onChange: setSounds }),
        h(Toggle, { label: t("motion"), signs: ["motion", "still"], isOn: settings.get("motion") ?? true, onChange: setMotion }),
        h("label", { class: "pace" },
            t("pace"),
            h("select", { name: "pace", value: settings.get("pace") ?? 1, onChange: (event) => setPace(Number(event.currentTarget.value)) }, PACES.map(([pace, word]) => h("option", { key: pace, value: pace, selected: pace === (settings.get("pace") ?? 1) }, t(word)))))));
    return (h("div", { key: language(), class: "page" },
        h(Sprite, null),
        !me() ? (h(Welcome, { tools: tools, onDone: again })) : view === "t" && parts[0] && parts[1] === "replay" ? (h(Replay, { key: parts[0], id: parts[0], tools: tools })) : view === "t" && parts[0] ? (h(Table, { key: parts[0], id: parts[0], tools: tools, onUnknown: again })) : view === "join" && parts[0] ? (h(Joining, { key: parts[0], id: parts[0], code: parts[1], tools: tools })) : (h(Home, { tools: tools, onForget: again }))));
}
function Toggle({ label, signs, isOn, onChange }) {
    return (h("button", { class: "icon toggle", "aria-pressed": isOn, "aria-label": label, title: label, onClick: () => onChange(!isOn) },
        h(Icon, { name: signs[isOn ? 0 : 1] }),
        " ",
        h("span", { class: "toggle-label" }, label)));
}
function applyMotion() {
    document.documentElement.classList.toggle("still", !(settings.get("motion") ?? true));
}
async function start() {
    const root = document.getElementById("app");
    try {
        const code = chosenLanguage();
        await loadWords(code);
        pocha.language = code;
        applyMotion();
        await refresh();
        render(h(App, null), root);
        await pocha.flush();
    }
    catch (error) {
        root.textContent = explain(error);
    }
}
void start();
