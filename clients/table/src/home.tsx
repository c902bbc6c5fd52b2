// The entrance: a name, one's own games, a new table, the lobby.
import { PochaError, type GameSummary, type GameView, type Level, type RulesetView } from "../../typescript/src/index.js";
import { become, explain, forget, me, pocha } from "./session.js";
import { figure, levelName, meaning, seatName, statusName, t } from "./i18n.js";
import { CardFace } from "./cards.js";
import { Avatar, Choice, Problem } from "./parts.js";
import { HouseRules, patchOf, type Changes } from "./houseRules.js";
import { games, settings } from "./storage.js";
import { h, useEffect, useState, type VNode } from "./vendor/preact.js";

export function Header({ tools }: { tools: VNode }): VNode {
  return (
    <header class="top">
      <a class="brand" href="#/"><Logo /> {t("title")}</a>
      {tools}
    </header>
  );
}

function Logo(): VNode {
  return <svg width="26" height="26" aria-hidden="true"><use href="#oros" width="26" height="26" /></svg>;
}

function Showcase(): VNode {
  return (
    <div class="showcase" aria-hidden="true">
      {(["bastos-11", "copas-12", "oros-1", "espadas-10", "copas-7"] as const).map((card) => <span key={card} class="card"><CardFace card={card} /></span>)}
    </div>
  );
}

export function Welcome({ tools, onDone }: { tools: VNode; onDone: () => void }): VNode {
  const [name, setName] = useState(settings.get("name") ?? "");
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const enter = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    try {
      await become(name.trim());
      onDone();
    } catch (error) {
      setProblem(explain(error));
      setBusy(false);
    }
  };
  return (
    <div class="home">
      <Header tools={tools} />
      <main class="narrow welcome">
        <Showcase />
        <h1>{t("title")}</h1>
        <p class="tagline">{t("tagline")}</p>
        <form class="panel" onSubmit={(event) => void enter(event)}>
          <label class="field">
            <span>{t("your_name")}</span>
            <input name="name" value={name} maxLength={40} required autocomplete="nickname" onInput={(event) => setName(event.currentTarget.value)} />
          </label>
          <Problem text={problem} />
          <button class="primary big" disabled={isBusy || !name.trim()}>{t("enter")}</button>
        </form>
      </main>
    </div>
  );
}

export function Home({ tools, onForget }: { tools: VNode; onForget: () => void }): VNode {
  return (
    <div class="home">
      <Header tools={tools} />
      <main>
        <div class="hello">
          <Showcase />
          <p>
            {t("playing_as", { name: me()?.display_name ?? "" })}{" "}
            <button class="link" onClick={() => { forget(); onForget(); }}>{t("change_name")}</button>
          </p>
          <p class="muted">{meaning("pocha")}</p>
        </div>
        <div class="columns">
          <NewTable />
          <div class="column">
            <MyGames />
            <JoinByCode />
            <Lobby />
          </div>
        </div>
      </main>
    </div>
  );
}

const TIMES = [0, 15, 30, 60, 120];

function NewTable(): VNode {
  const [rulesets, setRulesets] = useState<RulesetView[]>([]);
  const [chosen, setChosen] = useState("clasica");
  const [players, setPlayers] = useState(4);
  const [robots, setRobots] = useState(3);
  const [level, setLevel] = useState<Level>("normal");
  const [seconds, setSeconds] = useState(0);
  const [isPrivate, setPrivate] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  useEffect(() => {
    pocha.rulesets().then(({ items }) => setRulesets(items), (error: unknown) => setProblem(explain(error)));
  }, []);
  const [changes, setChanges] = useState<Changes>({ switches: {} });
  const [validated, setValidated] = useState<RulesetView>();
  const preset = rulesets.find(({ ruleset }) => ruleset.ruleset_id === chosen);
  const patch = preset && patchOf(preset.ruleset, changes);
  useEffect(() => {
    setValidated(undefined);
    setProblem(undefined);
    if (!patch) return;
    let isWanted = true;
    pocha.validateRuleset(chosen, patch).then((view) => isWanted && setValidated(view), (error: unknown) => isWanted && setProblem(explain(error)));
    return () => void (isWanted = false);
  }, [JSON.stringify(patch), chosen]);
  const found = patch ? validated : preset;
  const allowed = (found ?? preset)?.ruleset.players.allowed ?? [players];
  const choose = (id: string) => {
    const next = rulesets.find(({ ruleset }) => ruleset.ruleset_id === id)?.ruleset.players.allowed ?? [];
    setChosen(id);
    setChanges({ switches: {} });
    if (!next.includes(players)) seat(next[0] ?? players);
  };
  const seat = (count: number) => {
    setRobots(robots === players - 1 ? count - 1 : Math.min(robots, count - 1));
    setPlayers(count);
  };
  const hands = found?.schedules.find((each) => each.players === players)?.hands.length;
  const open = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    try {
      const game = await pocha.createGame({
        ruleset: chosen,
        players,
        robots: Array<Level>(robots).fill(level),
        ...(patch ? { house_rules: patch } : {}),
        visibility: isPrivate ? "private" : "public",
        ...(seconds ? { turn_seconds: seconds } : {}),
      });
      location.hash = `#/t/${game.game_id}`;
    } catch (error) {
      setProblem(explain(error));
      setBusy(false);
    }
  };
  return (
    <form class="panel new-table" onSubmit={(event) => void open(event)}>
      <h2>{t("new_table")}</h2>
      <Choice name="ruleset" label={t("ruleset")} value={chosen} onChange={choose} options={rulesets.map(({ ruleset }) => [ruleset.ruleset_id, ruleset.title])} />
      <div class="pair">
        <Choice name="players" label={t("players")} value={players} onChange={seat} options={allowed.map((count) => [count, String(count)])} />
        <Choice name="robots" label={t("robots")} value={robots} onChange={setRobots} options={Array.from({ length: players }, (_, count) => [count, String(count)])} />
      </div>
      <div class="pair">
        <Choice name="level" label={t("level")} value={level} onChange={setLevel} options={(["easy", "normal", "hard"] as Level[]).map((each) => [each, levelName(each)])} />
        <Choice name="time" label={t("turn_time")} value={seconds} onChange={setSeconds} options={TIMES.map((time) => [time, time ? t("seconds", { n: time }) : t("no_limit")])} />
      </div>
      {preset && <HouseRules preset={preset.ruleset} changes={changes} onChange={setChanges} />}
      <label class="check">
        <input type="checkbox" name="private" checked={isPrivate} onChange={(event) => setPrivate(event.currentTarget.checked)} />
        <span>{t("private")}</span>
      </label>
      {hands !== undefined && <p class="muted">{t("hands_count", { n: figure(hands) })}</p>}
      <Problem text={problem} />
      <button class="primary big" disabled={isBusy || !found}>{t(robots === players - 1 ? "play_now" : "create")}</button>
    </form>
  );
}

function MyGames(): VNode | null {
  const [mine, setMine] = useState<GameView[]>([]);
  useEffect(() => {
    let isShown = true;
    const read = async (id: string) => {
      try {
        return await pocha.game(id);
      } catch (error) {
        if (error instanceof PochaError && error.status === 404) games.remove(id);
        return undefined;
      }
    };
    void Promise.all(games.list().map(read)).then((found) => {
      if (isShown) setMine(found.filter((game) => game !== undefined && (game.status === "playing" || game.status === "waiting")) as GameView[]);
    });
    return () => void (isShown = false);
  }, []);
  if (mine.length === 0) return null;
  return (
    <section class="panel" aria-labelledby="mine">
      <h2 id="mine">{t("my_games")}</h2>
      <ul class="tables">
        {mine.map((game) => (
          <li key={game.game_id}>
            <TableLine game={game} />
            <a class="button" href={`#/t/${game.game_id}`}>{t("back_to_game")}</a>
          </li>
        ))}
      </ul>
    </section>
  );
}

function JoinByCode(): VNode {
  const [code, setCode] = useState("");
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const join = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    setProblem(undefined);
    try {
      const joined = await pocha.joinByCode(code);
      if (joined.type === "game") location.hash = `#/t/${joined.game.game_id}`;
      else setProblem(t("sheet_code"));
    } catch (error) {
      setProblem(explain(error));
    }
    setBusy(false);
  };
  return (
    <form class="panel by-code" onSubmit={(event) => void join(event)}>
      <label class="field">
        <span>{t("join_code")}</span>
        <input name="code" value={code} required minLength={6} maxLength={6} pattern="[A-Za-z0-9]{6}" autocomplete="off" autocapitalize="characters" spellcheck={false} onInput={(event) => setCode(event.currentTarget.value)} />
      </label>
      <button disabled={isBusy}>{t("join")}</button>
      <Problem text={problem} />
    </form>
  );
}

const LOBBY_SECONDS = 5;

function Lobby(): VNode {
  const [tables, setTables] = useState<GameSummary[]>([]);
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    let timer = 0;
    const read = async () => {
      try {
        const [waiting, playing] = await Promise.all([pocha.gamesPage({ status: "waiting", limit: 12 }), pocha.gamesPage({ status: "playing", limit: 6 })]);
        setTables([...waiting.items, ...playing.items]);
        setProblem(undefined);
      } catch (error) {
        setProblem(explain(error));
      }
      timer = window.setTimeout(() => void read(), LOBBY_SECONDS * 1000);
    };
    void read();
    return () => clearTimeout(timer);
  }, []);
  return (
    <section class="panel" aria-labelledby="lobby">
      <h2 id="lobby">{t("lobby")}</h2>
      <Problem text={problem} />
      {tables.length === 0 ? <p class="muted">{t("lobby_empty")}</p> : (
        <ul class="tables">
          {tables.map((game) => (
            <li key={game.game_id}>
              <TableLine game={game} />
              <a class="button" href={`#/${game.status === "waiting" ? "join" : "t"}/${game.game_id}`}>{t(game.status === "waiting" ? "join" : "watch")}</a>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function TableLine({ game }: { game: GameSummary | GameView }): VNode {
  const open = game.seats.filter((seat) => !seat.player && !seat.robot).length;
  return (
    <div class="table-line">
      <strong>{game.ruleset.title}</strong>
      <span class="muted">{open === 0 ? statusName(game.status) : open === 1 ? t("one_open_seat") : t("open_seats", { n: open })}{game.ruleset.house_rules ? ` · ${t("house_rules")}` : ""}</span>
      <span class="heads">
        {game.seats.filter((seat) => seat.player ?? seat.robot).map((seat) => {
          const name = seatName(game as GameView, seat.seat);
          return <span key={seat.seat} title={name}><Avatar name={name} seat={seat.seat} isRobot={!seat.player && !seat.away} /></span>;
        })}
      </span>
    </div>
  );
}
