import { PochaError } from "../../typescript/src/index.js";
import { become, explain, forget, me, pocha } from "./session.js";
import { figure, levelName, meaning, seatName, statusName, t } from "./i18n.js";
import { CardFace } from "./cards.js";
import { Avatar, Choice, Problem } from "./parts.js";
import { HouseRules, patchOf } from "./houseRules.js";
import { games, settings } from "./storage.js";
import { h, useEffect, useState } from "./vendor/preact.js";
export function Header({ tools }) {
    return (h("header", { class: "top" },
        h("a", { class: "brand", href: "#/" },
            h(Logo, null),
            " ",
            t("title")),
        tools));
}
function Logo() {
    return h("svg", { width: "26", height: "26", "aria-hidden": "true" },
        h("use", { href: "#oros", width: "26", height: "26" }));
}
function Showcase() {
    return (h("div", { class: "showcase", "aria-hidden": "true" }, ["bastos-11", "copas-12", "oros-1", "espadas-10", "copas-7"].map((card) => h("span", { key: card, class: "card" },
        h(CardFace, { card: card })))));
}
export function Welcome({ tools, onDone }) {
    const [name, setName] = useState(settings.get("name") ?? "");
    const [problem, setProblem] = useState();
    const [isBusy, setBusy] = useState(false);
    const enter = async (event) => {
        event.preventDefault();
        setBusy(true);
        try {
            await become(name.trim());
            onDone();
        }
        catch (error) {
            setProblem(explain(error));
            setBusy(false);
        }
    };
    return (h("div", { class: "home" },
        h(Header, { tools: tools }),
        h("main", { class: "narrow welcome" },
            h(Showcase, null),
            h("h1", null, t("title")),
            h("p", { class: "tagline" }, t("tagline")),
            h("form", { class: "panel", onSubmit: (event) => void enter(event) },
                h("label", { class: "field" },
                    h("span", null, t("your_name")),
                    h("input", { name: "name", value: name, maxLength: 40, required: true, autocomplete: "nickname", onInput: (event) => setName(event.currentTarget.value) })),
                h(Problem, { text: problem }),
                h("button", { class: "primary big", disabled: isBusy || !name.trim() }, t("enter"))))));
}
export function Home({ tools, onForget }) {
    return (h("div", { class: "home" },
        h(Header, { tools: tools }),
        h("main", null,
            h("div", { class: "hello" },
                h(Showcase, null),
                h("p", null,
                    t("playing_as", { name: me()?.display_name ?? "" }),
                    " ",
                    h("button", { class: "link", onClick: () => { forget(); onForget(); } }, t("change_name"))),
                h("p", { class: "muted" }, meaning("pocha"))),
            h("div", { class: "columns" },
                h(NewTable, null),
                h("div", { class: "column" },
                    h(MyGames, null),
                    h(JoinByCode, null),
                    h(Lobby, null))))));
}
const TIMES = [0, 15, 30, 60, 120];
function NewTable() {
    const [rulesets, setRulesets] = useState([]);
    const [chosen, setChosen] = useState("clasica");
    const [players, setPlayers] = useState(4);
    const [robots, setRobots] = useState(3);
    const [level, setLevel] = useState("normal");
    const [seconds, setSeconds] = useState(0);
    const [isPrivate, setPrivate] = useState(false);
    const [problem, setProblem] = useState();
    const [isBusy, setBusy] = useState(false);
    useEffect(() => {
        pocha.rulesets().then(({ items }) => setRulesets(items), (error) => setProblem(explain(error)));
    }, []);
    const [changes, setChanges] = useState({ switches: {} });
    const [validated, setValidated] = useState();
    const preset = rulesets.find(({ ruleset }) => ruleset.ruleset_id === chosen);
    const patch = preset && patchOf(preset.ruleset, changes);
    useEffect(() => {
        setValidated(undefined);
        setProblem(undefined);
        if (!patch)
            return;
        let isWanted = true;
        pocha.validateRuleset(chosen, patch).then((view) => isWanted && setValidated(view), (error) => isWanted && setProblem(explain(error)));
        return () => void (isWanted = false);
    }, [JSON.stringify(patch), chosen]);
    const found = patch ? validated : preset;
    const allowed = (found ?? preset)?.ruleset.players.allowed ?? [players];
    const choose = (id) => {
        const next = rulesets.find(({ ruleset }) => ruleset.ruleset_id === id)?.ruleset.players.allowed ?? [];
        setChosen(id);
        setChanges({ switches: {} });
        if (!next.includes(players))
            seat(next[0] ?? players);
    };
    const seat = (count) => {
        setRobots(robots === players - 1 ? count - 1 : Math.min(robots, count - 1));
        setPlayers(count);
    };
    const hands = found?.schedules.find((each) => each.players === players)?.hands.length;
    const open = async (event) => {
        event.preventDefault();
        setBusy(true);
        try {
            const game = await pocha.createGame({
                ruleset: chosen,
                players,
                robots: Array(robots).fill(level),
                ...(patch ? { house_rules: patch } : {}),
                visibility: isPrivate ? "private" : "public",
                ...(seconds ? { turn_seconds: seconds } : {}),
            });
            location.hash = `#/t/${game.game_id}`;
        }
        catch (error) {
            setProblem(explain(error));
            setBusy(false);
        }
    };
    return (h("form", { class: "panel new-table", onSubmit: (event) => void open(event) },
        h("h2", null, t("new_table")),
        h(Choice, { name: "ruleset", label: t("ruleset"), value: chosen, onChange: choose, options: rulesets.map(({ ruleset }) => [ruleset.ruleset_id, ruleset.title]) }),
        h("div", { class: "pair" },
            h(Choice, { name: "players", label: t("players"), value: players, onChange: seat, options: allowed.map((count) => [count, String(count)]) }),
            h(Choice, { name: "robots", label: t("robots"), value: robots, onChange: setRobots, options: Array.from({ length: players }, (_, count) => [count, String(count)]) })),
        h("div", { class: "pair" },
            h(Choice, { name: "level", label: t("level"), value: level, onChange: setLevel, options: ["easy", "normal", "hard"].map((each) => [each, levelName(each)]) }),
            h(Choice, { name: "time", label: t("turn_time"), value: seconds, onChange: setSeconds, options: TIMES.map((time) => [time, time ? t("seconds", { n: time }) : t("no_limit")]) })),
        preset && h(HouseRules, { preset: preset.ruleset, changes: changes, onChange: setChanges }),
        h("label", { class: "check" },
            h("input", { type: "checkbox", name: "private", checked: isPrivate, onChange: (event) => setPrivate(event.currentTarget.checked) }),
            h("span", null, t("private"))),
        hands !== undefined && h("p", { class: "muted" }, t("hands_count", { n: figure(hands) })),
        h(Problem, { text: problem }),
        h("button", { class: "primary big", disabled: isBusy || !found }, t(robots === players - 1 ? "play_now" : "create"))));
}
function MyGames() {
    const [mine, setMine] = useState([]);
    useEffect(() => {
        let isShown = true;
        const read = async (id) => {
            try {
                return await pocha.game(id);
            }
            catch (error) {
                if (error instanceof PochaError && error.status === 404)
                    games.remove(id);
                return undefined;
            }
        };
        void Promise.all(games.list().map(read)).then((found) => {
            if (isShown)
                setMine(found.filter((game) => game !== undefined && (game.status === "playing" || game.status === "waiting")));
        });
        return () => void (isShown = false);
    }, []);
    if (mine.length === 0)
        return null;
    return (h("section", { class: "panel", "aria-labelledby": "mine" },
        h("h2", { id: "mine" }, t("my_games")),
        h("ul", { class: "tables" }, mine.map((game) => (h("li", { key: game.game_id },
            h(TableLine, { game: game }),
            h("a", { class: "button", href: `#/t/${game.game_id}` }, t("back_to_game"))))))));
}
function JoinByCode() {
    const [code, setCode] = useState("");
    const [problem, setProblem] = useState();
    const [isBusy, setBusy] = useState(false);
    const join = async (event) => {
        event.preventDefault();
        setBusy(true);
        setProblem(undefined);
        try {
            const joined = await pocha.joinByCode(code);
            if (joined.type === "game")
                location.hash = `#/t/${joined.game.game_id}`;
            else
                setProblem(t("sheet_code"));
        }
        catch (error) {
            setProblem(explain(error));
        }
        setBusy(false);
    };
    return (h("form", { class: "panel by-code", onSubmit: (event) => void join(event) },
        h("label", { class: "field" },
            h("span", null, t("join_code")),
            h("input", { name: "code", value: code, required: true, minLength: 6, maxLength: 6, pattern: "[A-Za-z0-9]{6}", autocomplete: "off", autocapitalize: "characters", spellcheck: false, onInput: (event) => setCode(event.currentTarget.value) })),
        h("button", { disabled: isBusy }, t("join")),
        h(Problem, { text: problem })));
}
const LOBBY_SECONDS = 5;
function Lobby() {
    const [tables, setTables] = useState([]);
    const [problem, setProblem] = useState();
    useEffect(() => {
        let timer = 0;
        const read = async () => {
            try {
                const [waiting, playing] = await Promise.all([pocha.gamesPage({ status: "waiting", limit: 12 }), pocha.gamesPage({ status: "playing", limit: 6 })]);
                setTables([...waiting.items, ...playing.items]);
                setProblem(undefined);
            }
            catch (error) {
                setProblem(explain(error));
            }
            timer = window.setTimeout(() => void read(), LOBBY_SECONDS * 1000);
        };
        void read();
        return () => clearTimeout(timer);
    }, []);
    return (h("section", { class: "panel", "aria-labelledby": "lobby" },
        h("h2", { id: "lobby" }, t("lobby")),
        h(Problem, { text: problem }),
        tables.length === 0 ? h("p", { class: "muted" }, t("lobby_empty")) : (h("ul", { class: "tables" }, tables.map((game) => (h("li", { key: game.game_id },
            h(TableLine, { game: game }),
            h("a", { class: "button", href: `#/${game.status === "waiting" ? "join" : "t"}/${game.game_id}` }, t(game.status === "waiting" ? "join" : "watch")))))))));
}
function TableLine({ game }) {
    const open = game.seats.filter((seat) => !seat.player && !seat.robot).length;
    return (h("div", { class: "table-line" },
        h("strong", null, game.ruleset.title),
        h("span", { class: "muted" },
            open === 0 ? statusName(game.status) : open === 1 ? t("one_open_seat") : t("open_seats", { n: open }),
            game.ruleset.house_rules ? ` · ${t("house_rules")}` : ""),
        h("span", { class: "heads" }, game.seats.filter((seat) => seat.player ?? seat.robot).map((seat) => {
            const name = seatName(game, seat.seat);
            return h("span", { key: seat.seat, title: name },
                h(Avatar, { name: name, seat: seat.seat, isRobot: !seat.player && !seat.away }));
        }))));
}
