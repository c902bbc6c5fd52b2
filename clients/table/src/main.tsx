// The page: which view is open follows from the part of the address behind `#`, which no server sees.
import { explain, me, pocha, refresh } from "./session.js";
import { Home, Welcome } from "./home.js";
import { Joining } from "./joining.js";
import { chosenLanguage, LANGUAGES, language, loadWords, t } from "./i18n.js";
import { Sprite } from "./cards.js";
import { Replay } from "./replay.js";
import { Table } from "./table.js";
import { Icon } from "./parts.js";
import { settings } from "./storage.js";
import { h, render, useEffect, useState, type VNode } from "./vendor/preact.js";

function useRoute(): string[] {
  const [route, setRoute] = useState(location.hash);
  useEffect(() => {
    const changed = () => setRoute(location.hash);
    addEventListener("hashchange", changed);
    return () => removeEventListener("hashchange", changed);
  }, []);
  return route.replace(/^#\/?/, "").split("/").filter(Boolean);
}

const PACES: [number, string][] = [[1, "pace_calm"], [0.4, "pace_quick"], [0, "pace_instant"]];

function App(): VNode {
  const [, renew] = useState(0);
  const [view, ...parts] = useRoute();
  const again = () => renew((count) => count + 1);
  const setLanguage = async (code: string) => {
    settings.set({ language: code });
    await loadWords(code);
    pocha.language = code;
    again();
  };
  const setMotion = (isOn: boolean) => {
    settings.set({ motion: isOn });
    applyMotion();
    again();
  };
  const setSounds = (isOn: boolean) => {
    settings.set({ sounds: isOn });
    again();
  };
  const setPace = (pace: number) => {
    settings.set({ pace });
    again();
  };
  const tools = (
    <div class="tools">
      <label>
        <span class="hidden">{t("language")}</span>
        <select name="language" value={language()} onChange={(event) => void setLanguage(event.currentTarget.value)}>
          {Object.entries(LANGUAGES).map(([code, name]) => <option key={code} value={code} selected={code === language()}>{name}</option>)}
        </select>
      </label>
      <Toggle label={t("sounds")} signs={["sounds", "silence"]} isOn={settings.get("sounds") ?? false} onChange={setSounds} />
      <Toggle label={t("motion")} signs={["motion", "still"]} isOn={settings.get("motion") ?? true} onChange={setMotion} />
      <label class="pace">
        {t("pace")}
        <select name="pace" value={settings.get("pace") ?? 1} onChange={(event) => setPace(Number(event.currentTarget.value))}>
          {PACES.map(([pace, word]) => <option key={pace} value={pace} selected={pace === (settings.get("pace") ?? 1)}>{t(word)}</option>)}
        </select>
      </label>
    </div>
  );
  return (
    <div key={language()} class="page">
      <Sprite />
      {!me() ? (
        <Welcome tools={tools} onDone={again} />
      ) : view === "t" && parts[0] && parts[1] === "replay" ? (
        <Replay key={parts[0]} id={parts[0]} tools={tools} />
      ) : view === "t" && parts[0] ? (
        <Table key={parts[0]} id={parts[0]} tools={tools} onUnknown={again} />
      ) : view === "join" && parts[0] ? (
        <Joining key={parts[0]} id={parts[0]} code={parts[1]} tools={tools} />
      ) : (
        <Home tools={tools} onForget={again} />
      )}
    </div>
  );
}

type IconName = Parameters<typeof Icon>[0]["name"];

function Toggle({ label, signs, isOn, onChange }: { label: string; signs: [IconName, IconName]; isOn: boolean; onChange: (isOn: boolean) => void }): VNode {
  return (
    <button class="icon toggle" aria-pressed={isOn} aria-label={label} title={label} onClick={() => onChange(!isOn)}>
      <Icon name={signs[isOn ? 0 : 1]} /> <span class="toggle-label">{label}</span>
    </button>
  );
}

function applyMotion(): void {
  document.documentElement.classList.toggle("still", !(settings.get("motion") ?? true));
}

async function start(): Promise<void> {
  const root = document.getElementById("app") as HTMLElement;
  try {
    const code = chosenLanguage();
    await loadWords(code);
    pocha.language = code;
    applyMotion();
    await refresh();
    render(<App />, root);
    await pocha.flush();
  } catch (error) {
    root.textContent = explain(error);
  }
}

void start();
