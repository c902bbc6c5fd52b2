import { PlacedCard } from "./cards.js";
import { explain, pocha } from "./session.js";
import { Header } from "./home.js";
import { Problem } from "./parts.js";
import { Facts, Felt, handName, HandTitle, sorted } from "./table.js";
import { seatName, t } from "./i18n.js";
import { h, useEffect, useState } from "./vendor/preact.js";
export function Replay({ id, tools }) {
    const [record, setRecord] = useState();
    const [scheduled, setScheduled] = useState();
    const [problem, setProblem] = useState();
    const [at, setAt] = useState({ hand: 0, plays: 0 });
    const [verdict, setVerdict] = useState();
    useEffect(() => {
        const read = async () => {
            const [record, { schedule }] = await Promise.all([pocha.record(id), pocha.gameRuleset(id)]);
            setScheduled(schedule.hands.length);
            setRecord(record);
        };
        read().catch((error) => setProblem(explain(error)));
    }, [id]);
    const hand = record?.hands[at.hand];
    if (!record || !hand) {
        return (h("div", { class: "home" },
            h(Header, { tools: tools }),
            h("main", { class: "narrow" },
                h("section", { class: "panel" },
                    h(Problem, { text: problem }),
                    h("a", { class: "button", href: "#/" }, t("home"))))));
    }
    const { board, taken } = boardAt(record, at.hand, at.plays);
    const step = (by) => {
        const plays = at.plays + by;
        const before = record.hands[at.hand - 1];
        if (plays > hand.plays.length)
            return at.hand + 1 < record.hands.length && setAt({ hand: at.hand + 1, plays: 0 });
        if (plays < 0)
            return before && setAt({ hand: at.hand - 1, plays: before.plays.length });
        return setAt({ ...at, plays });
    };
    const check = async () => setVerdict(t((await isCommitted(record)) ? "verified" : "not_verified"));
    const isLast = at.hand + 1 === record.hands.length && at.plays === hand.plays.length;
    return (h("div", { class: `table playing replay of-${board.players}` },
        h("header", { class: "top" },
            h("a", { class: "brand", href: `#/t/${id}` }, t("replay")),
            board.hand && h(HandTitle, { hand: board.hand, scheduled: scheduled }),
            h("div", { class: "tools" })),
        h("main", null,
            h("h1", { class: "hidden" }, t("replay")),
            h(Felt, { board: board, clockOffset: 0, scene: { acting: undefined, bubble: undefined, said: {}, notice: undefined, taken } }),
            board.hand && h(Facts, { board: board, hand: board.hand, scheduled: scheduled }),
            h("ul", { class: "open-hands" }, board.seats.map(({ seat }) => (h("li", { key: seat },
                h("span", { class: "name" }, seatName(board, seat)),
                sorted(left(hand, seat, at.plays), hand.trump, record.ruleset.deck.rank_order).map((card) => h(PlacedCard, { key: card, card: card })))))),
            h("div", { class: "actions" },
                h("label", null,
                    h("span", { class: "hidden" }, t("all_hands")),
                    h("select", { name: "hand", value: at.hand, onChange: (event) => setAt({ hand: Number(event.currentTarget.value), plays: 0 }) }, record.hands.map((each, index) => h("option", { key: index, value: index, selected: index === at.hand }, handName(each.number, record.hands.length, scheduled))))),
                h("button", { disabled: at.hand === 0 && at.plays === 0, onClick: () => step(-1) }, t("previous")),
                h("button", { class: "primary", disabled: isLast, onClick: () => step(1) }, t("next")),
                window.isSecureContext && h("button", { onClick: () => void check() }, t("verify"))),
            h("p", { class: "verdict", role: "status" }, verdict))));
}
function left(hand, seat, plays) {
    const gone = new Set(hand.plays.slice(0, plays).map(({ card }) => card));
    return (hand.hands.find((each) => each.seat === seat)?.cards ?? []).filter((card) => !gone.has(card));
}
function boardAt(record, index, plays) {
    const hand = record.hands[index];
    const count = record.seats.length;
    const isComplete = plays > 0 && plays % count === 0;
    const shown = Math.floor(plays / count) - Number(isComplete);
    const trick = hand.plays.slice(shown * count, plays);
    const isOver = plays === hand.plays.length;
    const before = record.hands[index - 1]?.scores ?? [];
    const scores = isOver ? hand.scores : before;
    const rankOf = (seat) => 1 + before.filter(({ total }) => total > totalOf(before, seat)).length;
    const winner = hand.tricks[shown];
    const view = {
        number: hand.number,
        of: record.hands.length,
        kind: hand.kind,
        cards: hand.cards,
        dealer: hand.dealer,
        mano: (hand.dealer + 1) % count,
        multiplier: hand.multiplier,
        stock_count: hand.stock.length,
        bids: hand.bids,
        tricks_won: record.seats.map(({ seat }) => hand.tricks.slice(0, shown + Number(isComplete)).filter((by) => by === seat).length),
        trick,
        ...(hand.trump ? { trump: hand.trump } : {}),
        ...(hand.turn_up ? { turn_up: hand.turn_up } : {}),
    };
    const board = {
        game_id: record.game_id,
        version: 1,
        status: "finished",
        ruleset: { ruleset_id: record.ruleset.ruleset_id, version: record.ruleset.version, title: record.ruleset.title, house_rules: record.ruleset.house_rules },
        players: count,
        visibility: "public",
        created_at: record.created_at,
        server_time: record.finished_at,
        commitment: record.commitment,
        seats: record.seats,
        scores: record.seats.map(({ seat }) => ({ seat, points: totalOf(scores, seat), exact: 0, missed: 0, rank: rankOf(seat) })),
        hand: view,
    };
    return { board, taken: isComplete && winner !== undefined ? { winner, plays: trick, isSwept: false } : undefined };
}
const totalOf = (scores, seat) => scores.find((score) => score.seat === seat)?.total ?? 0;
async function isCommitted(record) {
    const seed = Uint8Array.from(record.server_seed.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", seed));
    return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("") === record.commitment;
}
