import { PlacedCard, CardFace, SuitSign } from "./cards.js";
import { cardsText, leaders, prompt, trumpText } from "./director.js";
import { cardName, figure, kindName, levelName, meaning, seatName, split, suitName, t } from "./i18n.js";
import { Avatar, Dialog, Icon, Invitation, Problem, QrCode } from "./parts.js";
import { Header } from "./home.js";
import { Claims, Outcome, Scored, Sheet } from "./sheet.js";
import { me, pocha } from "./session.js";
import { others, Talk } from "./talk.js";
import { useGame } from "./useGame.js";
import { h, useEffect, useState } from "./vendor/preact.js";
export function Table({ id, tools, onUnknown }) {
    const game = useGame(id, onUnknown);
    const [open, setOpen] = useState();
    const { scene, log } = game.director;
    const board = scene.board;
    if (!board) {
        return (h("div", { class: "home" },
            h(Header, { tools: tools }),
            h("main", { class: "narrow" },
                h("section", { class: "panel" },
                    game.isUnknown ? h(Problem, { text: game.problem ?? t("not_found") }) : h("p", null, t("loading")),
                    h("a", { class: "button", href: "#/" }, t("home"))))));
    }
    const mine = board.my_seat;
    const isOver = board.status === "finished" || board.status === "abandoned";
    return (h("div", { class: `table ${board.status} of-${board.players}`, "data-version": game.newest?.version },
        h("header", { class: "top" },
            h("a", { class: "brand", href: "#/", "aria-label": t("home") },
                h(Icon, { name: "back" }),
                " ",
                h("span", null, t("title"))),
            board.hand && h(HandTitle, { hand: board.hand, scheduled: game.scheduled }),
            h("div", { class: "tools" },
                mine !== undefined && !isOver && others(board).length > 0 && h("button", { class: "icon", "aria-label": t("say"), title: t("say"), onClick: () => setOpen("say") },
                    h(Icon, { name: "say" })),
                board.status !== "waiting" && h("button", { class: "icon", "aria-label": t("sheet"), title: t("sheet"), onClick: () => setOpen("sheet") },
                    h(Icon, { name: "sheet" })),
                mine !== undefined && !isOver && h("button", { class: "icon", "aria-label": t("leave"), title: t("leave"), onClick: () => setOpen("leave") },
                    h(Icon, { name: "leave" })),
                h("button", { class: "icon", "aria-label": t("settings"), title: t("settings"), onClick: () => setOpen("settings") },
                    h(Icon, { name: "settings" })))),
        !game.isConnected && !isOver && h("p", { class: "banner", role: "status" }, t("reconnecting")),
        h("main", null,
            h("h1", { class: "hidden" }, board.ruleset.title),
            board.status === "waiting" ? h(Waiting, { board: board, game: game, said: scene.said }) : h(Felt, { board: board, clockOffset: game.clockOffset, scene: scene }),
            board.hand && h(Facts, { board: board, hand: board.hand, scheduled: game.scheduled }),
            game.problem && h(Toast, { text: game.problem, onClose: game.clearProblem }),
            board.status === "playing" && h(Own, { board: board, game: game, scene: scene, onClaim: () => setOpen("claim") })),
        isOver && !scene.isBusy && h(Outcome, { board: board, game: game, onSheet: () => setOpen("sheet") }),
        scene.scored && h(Scored, { board: board, scored: scene.scored, onDone: () => game.director.skip() }),
        open === "sheet" && h(Sheet, { id: id, onClose: () => setOpen(undefined) }),
        open === "settings" && h(Dialog, { title: t("settings"), onClose: () => setOpen(undefined), class: "settings" }, tools),
        open === "say" && h(Talk, { board: board, game: game, onClose: () => setOpen(undefined) }),
        open === "claim" && h(Claims, { board: board, game: game, onClose: () => setOpen(undefined) }),
        open === "leave" && mine !== undefined && (h(Dialog, { title: t("leave"), onClose: () => setOpen(undefined) },
            board.status === "playing" && h("p", null, t("leave_sure")),
            h("div", { class: "actions" },
                h("button", { class: "primary", onClick: () => void game.attempt(() => pocha.leave(id, mine)).then(() => (location.hash = "#/")) }, t("leave")),
                h("button", { onClick: () => setOpen(undefined) }, t("cancel"))))),
        h("div", { class: "hidden", role: "log", "aria-live": "polite", "aria-relevant": "additions" }, log.map(({ id: line, text }) => h("p", { key: line }, text)))));
}
function Toast({ text, onClose }) {
    return (h("div", { class: "toast-place" },
        h("div", { class: "toast", role: "alert" },
            h("p", null, text),
            h("button", { class: "icon", "aria-label": t("close"), onClick: onClose }, "\u00D7"))));
}
function extra(hand, scheduled) {
    return Math.max(0, hand.number - (scheduled ?? hand.number));
}
export function handName(number, of, scheduled) {
    const nth = extra({ number }, scheduled);
    return nth > 0 ? t("tie_break_n", { n: nth }) : t("hand_of", { n: number, of: scheduled ?? of });
}
export function HandTitle({ hand, scheduled }) {
    const nth = extra(hand, scheduled);
    const kind = hand.kind === "normal" || (nth > 0 && hand.kind === "tie_break") ? "" : kindName(hand.kind);
    return (h("p", { class: "hand-title" },
        h("span", null, handName(hand.number, hand.of, scheduled)),
        h("span", { class: "muted" },
            " \u00B7 ",
            kind && h("strong", { class: "kind", title: meaning(hand.kind) },
                kind,
                ", "),
            cardsText(hand.cards))));
}
function Waiting({ board, game, said }) {
    const isHost = board.my_seat === 0;
    const [level, setLevel] = useState("normal");
    const address = new URL(`#/join/${board.game_id}${board.invite_code ? `/${board.invite_code}` : ""}`, document.baseURI).href;
    const link = new URL(location.pathname + new URL(address).hash, location.href).href;
    return (h("div", { class: "waiting" },
        h("section", { class: "panel", "aria-labelledby": "seats" },
            h("h2", { id: "seats" }, t("waiting_for_players")),
            h("p", { class: "muted" },
                board.ruleset.title,
                board.turn_seconds ? ` · ${t("seconds", { n: board.turn_seconds })}` : ""),
            h("ul", { class: "tables" }, board.seats.map(({ seat, player, robot }) => {
                const name = seatName(board, seat);
                const isFree = !player && !robot;
                return (h("li", { key: seat, class: isFree ? "free" : "" },
                    h("span", { class: "sitting" },
                        h(Avatar, { name: isFree ? "+" : name, seat: seat, isRobot: robot !== undefined }),
                        h("span", null,
                            name,
                            robot ? ` (${levelName(robot.level)})` : "",
                            seat === board.my_seat ? ` (${t("you")})` : ""),
                        said[seat] && h("span", { class: "bubble", "aria-hidden": "true" }, said[seat])),
                    isFree && board.my_seat === undefined && h("button", { onClick: () => void game.attempt(() => pocha.join(board.game_id, { seat })) }, t("sit_here")),
                    isFree && isHost && h("button", { onClick: () => void game.attempt(() => pocha.seatRobot(board.game_id, seat, level)) }, t("add_robot"))));
            })),
            isHost && (h("label", { class: "field inline" },
                h("span", null, t("level")),
                h("select", { name: "level", value: level, onChange: (event) => setLevel(event.currentTarget.value) }, ["easy", "normal", "hard"].map((each) => h("option", { key: each, value: each, selected: each === level }, levelName(each))))))),
        h("section", { class: "panel", "aria-labelledby": "invite" },
            h("h2", { id: "invite" }, t("invite")),
            h("p", { class: "muted" }, t("invite_hint")),
            h(Invitation, { address: link }),
            board.my_seat !== undefined && h(TableCode, { id: board.game_id }),
            h(QrCode, { text: link }))));
}
function TableCode({ id }) {
    const [code, setCode] = useState();
    useEffect(() => {
        pocha.joinCode(id).then((found) => setCode(found.code), () => undefined);
    }, [id]);
    return code ? h("p", { class: "code" },
        h("span", { class: "muted" }, t("code_hint")),
        " ",
        h("strong", null, code)) : null;
}
function placeOf(board, seat) {
    const own = board.my_seat ?? 0;
    const count = board.players;
    const turn = (seat - own + count) % count;
    let degrees = 90;
    if (turn > 0) {
        const span = count === 2 ? 0 : Math.min(236, 90 + 38 * (count - 2));
        degrees = count === 2 ? -90 : -90 + span / 2 - ((turn - 1) * span) / (count - 2);
    }
    const angle = (degrees * Math.PI) / 180;
    const [dx, dy] = [Math.cos(angle), Math.sin(angle)];
    const power = 0.72;
    return { x: Math.sign(dx) * Math.abs(dx) ** power, y: Math.sign(dy) * Math.abs(dy) ** power, dx, dy };
}
const at = ({ x, y }, spread = 1) => ({ left: `${50 + 50 * x * spread}%`, top: `${50 + 50 * y * spread}%` });
export function Felt({ board, clockOffset, scene }) {
    const hand = board.hand;
    const trick = scene.taken?.plays ?? hand?.trick ?? [];
    return (h("div", { class: `felt${board.players > 6 ? " crowded" : ""}` },
        h("div", { class: "rim", "aria-hidden": "true" }),
        h("ul", { class: "seats", "aria-label": t("players") }, board.seats.map(({ seat }) => seat !== board.my_seat && h(Seat, { key: seat, board: board, seat: seat, scene: scene, clockOffset: clockOffset }))),
        h("div", { class: "middle" },
            hand && h(Stock, { hand: hand, isCovered: trick.length > 0 }),
            h("ul", { class: `trick${scene.taken?.isSwept ? " swept" : ""}`, "aria-label": t("on_table") }, trick.map(({ seat, card }, order) => {
                const place = placeOf(board, seat);
                const winner = scene.taken && placeOf(board, scene.taken.winner);
                const isWinner = scene.taken?.winner === seat;
                const where = scene.taken?.isSwept && winner ? { left: `${50 + 190 * winner.x}%`, top: `${50 + 190 * winner.y}%` } : at(place, 0.92);
                return (h("li", { key: card, class: `played${isWinner ? " winner" : ""}`, style: { ...where, "--from-x": `${place.dx * 90}px`, "--from-y": `${place.dy * 90}px`, "--tilt": `${((seat * 47 + order * 13) % 13) - 6}deg` } },
                    h(PlacedCard, { card: card }),
                    h("span", { class: "hidden" }, seatName(board, seat))));
            }))),
        scene.notice && h("p", { class: "notice", "aria-hidden": "true" }, scene.notice),
        board.my_seat === undefined && board.status === "playing" && h("p", { class: "watching" }, t("spectating"))));
}
export function Facts({ board, hand, scheduled }) {
    const sum = hand.bids.reduce((total, { bid }) => total + bid, 0);
    const isComplete = hand.bids.length === board.players;
    const gap = sum - hand.cards;
    return (h("ul", { class: "facts" },
        extra(hand, scheduled) > 0 && h("li", { class: "tied" }, t("tied", { names: leaders(board) })),
        h("li", { class: "trump-fact" },
            hand.trump ? h(SuitSign, { suit: hand.trump, size: 22 }) : h("span", { "aria-hidden": "true" }, "\u2205"),
            h("span", null,
                trumpText(hand),
                hand.multiplier > 1 && h("strong", null,
                    " \u00B7 ",
                    t("times", { n: hand.multiplier })))),
        h("li", null,
            t("bids_sum", { sum, cards: hand.cards }),
            isComplete && gap !== 0 && h("strong", null,
                " \u00B7 ",
                gap > 0 ? t("over", { n: gap }) : t("under", { n: -gap })))));
}
function Stock({ hand, isCovered }) {
    if (!hand.turn_up && !hand.stock_count)
        return null;
    return (h("div", { class: `stock${isCovered ? " covered" : ""}` },
        hand.stock_count > 1 && h("span", { class: "card back", title: t("stock", { n: hand.stock_count }) },
            h(CardFace, null)),
        hand.turn_up && h(PlacedCard, { card: hand.turn_up, class: "turn-up" })));
}
function tally(board, seat) {
    const hand = board.hand;
    const bid = hand?.bids.find((each) => each.seat === seat)?.bid;
    const tricks = hand?.tricks_won[seat] ?? 0;
    const state = bid === undefined ? "open" : tricks === bid ? "exact" : tricks > bid ? "over" : "under";
    return { bid, tricks, state };
}
function Seat({ board, seat, scene, clockOffset }) {
    const view = board.seats[seat];
    const name = seatName(board, seat);
    const isRobot = view?.robot !== undefined;
    const isOnTurn = (scene.acting ?? board.turn?.seat) === seat;
    const isAbsent = view?.away !== undefined || view?.presence?.connected === false;
    const seen = board.hand?.seen_cards?.find((each) => each.seat === seat)?.cards;
    return (h("li", { class: `seat${isOnTurn ? " on-turn" : ""}${isAbsent ? " absent" : ""}`, style: at(placeOf(board, seat)) },
        h(Avatar, { name: name, seat: seat, isRobot: isRobot }),
        h("span", { class: "who" },
            h("span", { class: "name", title: view?.away ? t("away", { name }) : name }, name),
            h(Score, { board: board, seat: seat })),
        h(Tally, { board: board, seat: seat }),
        board.hand?.dealer === seat && h("span", { class: "dealer", title: t("dealer") },
            h("span", { "aria-hidden": "true" }, "D"),
            h("span", { class: "hidden" }, t("dealer"))),
        isAbsent && h("span", { class: "absence" },
            h("span", { "aria-hidden": "true" }, "\u2301"),
            h("span", { class: "hidden" }, view?.away ? t("away", { name }) : t("offline"))),
        seen && !board.hand?.trick.some((play) => play.seat === seat) && board.hand?.tricks_won.every((won) => won === 0) && seen.map((card) => h(PlacedCard, { key: card, card: card, class: "seen" })),
        h(Bubble, { scene: scene, seat: seat }),
        isOnTurn && h(Clock, { board: board, clockOffset: clockOffset })));
}
function Bubble({ scene, seat }) {
    if (scene.bubble?.seat === seat)
        return h("span", { class: "bubble", "aria-hidden": "true" }, scene.bubble.text);
    return scene.said[seat] ? h("span", { class: "bubble said", "aria-hidden": "true" }, scene.said[seat]) : null;
}
function Score({ board, seat }) {
    const score = board.scores[seat];
    return (h("span", { class: "score" },
        h("span", { "aria-hidden": "true" }, score ? figure(score.points) : ""),
        h("span", { class: "hidden" }, t("points", { n: figure(score?.points ?? 0) }))));
}
function Tally({ board, seat }) {
    if (!board.hand)
        return null;
    const { bid, tricks, state } = tally(board, seat);
    const call = board.hand.auction?.find((each) => each.seat === seat);
    const isAuction = bid === undefined && call !== undefined;
    return (h("span", { class: `tally ${state}` },
        h("span", { "aria-hidden": "true" }, isAuction ? (call.passed ? "–" : `(${call.bid})`) : bid === undefined ? "·" : h("span", null,
            tricks,
            h("i", null, "/"),
            bid)),
        h("span", { class: "hidden" }, bid === undefined ? t("no_bid") : t("bid_of", { bid, tricks }))));
}
function Clock({ board, clockOffset }) {
    const deadline = board.turn?.deadline;
    const [, tick] = useState(0);
    useEffect(() => {
        if (!deadline)
            return;
        const timer = setInterval(() => tick((count) => count + 1), 500);
        return () => clearInterval(timer);
    }, [deadline]);
    if (!deadline || !board.turn_seconds)
        return null;
    const left = Math.max(0, (Date.parse(deadline) - Date.now() - clockOffset) / 1000);
    const part = Math.min(1, left / board.turn_seconds);
    return (h("span", { class: `clock${left < 6 ? " hurry" : ""}`, role: "timer", "aria-label": t("time_left", { n: Math.ceil(left) }) },
        h("span", { class: "left", style: { width: `${part * 100}%` } }),
        h("span", { class: "figure", "aria-hidden": "true" }, Math.ceil(left))));
}
function Own({ board, game, scene, onClaim }) {
    const seat = board.my_seat;
    const isPenalised = game.rules?.renuncio.mode === "penalised";
    if (seat === undefined) {
        const away = board.seats.find((each) => each.away?.player_id !== undefined && each.away.player_id === myId());
        return away ? h("div", { class: "own" },
            h("button", { class: "primary big", onClick: () => void game.attempt(() => pocha.join(board.game_id)) }, t("come_back"))) : null;
    }
    const isMine = board.turn !== undefined && board.turn.action !== "wait" && !scene.isBusy;
    const text = game.pending ? t("sending") : scene.isBusy ? "" : prompt(board);
    return (h("div", { class: `own${isMine ? " on-turn" : ""}` },
        h("div", { class: "own-line" },
            h("div", { class: `seat me${isMine ? " on-turn" : ""}` },
                h(Avatar, { name: seatName(board, seat), seat: seat, isRobot: false }),
                h("span", { class: "who" },
                    h("span", { class: "name" }, t("you")),
                    h(Score, { board: board, seat: seat })),
                h(Tally, { board: board, seat: seat }),
                board.hand?.dealer === seat && h("span", { class: "dealer", title: t("dealer") },
                    h("span", { "aria-hidden": "true" }, "D"),
                    h("span", { class: "hidden" }, t("dealer"))),
                h(Bubble, { scene: scene, seat: seat })),
            h("p", { class: `prompt${isMine ? " mine" : ""}` }, text),
            isMine && h(Clock, { board: board, clockOffset: game.clockOffset }),
            isPenalised && h("button", { class: "claim", onClick: onClaim }, t("claim"))),
        isMine && h(Actions, { board: board, game: game }),
        board.hand && h(Cards, { board: board, hand: board.hand, game: game, isMine: isMine, isPenalised: isPenalised })));
}
const myId = () => me()?.player_id;
function Actions({ board, game }) {
    const turn = board.turn;
    const isPending = game.pending !== undefined;
    if (turn?.action === "bid") {
        const bids = range(0, board.hand?.cards ?? 0);
        return (h("div", { class: "actions bids", role: "group", "aria-label": t("bid_prompt") },
            turn.forbidden_bid !== undefined && h("p", { class: "hook" }, t("hook_note", { n: turn.forbidden_bid })),
            h("div", { class: "numbers" }, bids.map((bid) => {
                const isLegal = turn.legal_bids.includes(bid);
                const isHook = bid === turn.forbidden_bid;
                return (h("button", { key: bid, class: `number${isHook ? " forbidden" : ""}`, disabled: !isLegal || isPending, "aria-label": isHook ? t("bid_forbidden", { n: bid }) : String(bid), onClick: () => void game.move({ action: "bid", bid }) }, bid));
            }))));
    }
    if (turn?.action === "auction_bid") {
        return (h("div", { class: "actions bids", role: "group", "aria-label": t("auction_prompt") },
            h("div", { class: "numbers" },
                turn.legal_bids.map((bid) => h("button", { key: bid, class: "number", disabled: isPending, onClick: () => void game.move({ action: "auction_bid", bid }) }, bid)),
                turn.may_pass && h("button", { class: "pass", disabled: isPending, onClick: () => void game.move({ action: "pass" }) }, t("pass")))));
    }
    if (turn?.action === "choose_trump") {
        return (h("div", { class: "actions", role: "group", "aria-label": t("choose_prompt") }, turn.legal_suits.map((suit) => (h("button", { key: suit, class: "suit-choice", disabled: isPending, onClick: () => void game.move({ action: "choose_trump", suit: suit }) },
            h(SuitSign, { suit: suit, size: 30 }),
            " ",
            suitName(suit))))));
    }
    return null;
}
const SUITS = ["oros", "copas", "espadas", "bastos"];
const FULL_ROW = 9;
const RANKS = [1, 3, 12, 11, 10, 9, 8, 7, 6, 5, 4, 2];
export function sorted(cards, trump, ranks = RANKS) {
    const rank = (card) => {
        const [suit, number] = split(card);
        return (suit === trump ? 0 : 100 * (1 + SUITS.indexOf(suit))) + ranks.indexOf(number);
    };
    return [...cards].sort((one, other) => rank(one) - rank(other));
}
function Cards({ board, hand, game, isMine, isPenalised }) {
    const key = `${board.version}-${isMine}`;
    const [lift, setLift] = useState();
    const lifted = lift?.key === key ? lift.card : undefined;
    const turn = isMine ? board.turn : undefined;
    const legal = turn?.action === "play" ? turn.legal_cards : undefined;
    if (turn?.action === "blind_pick" || (!hand.my_cards && hand.kind !== "india")) {
        return (h("ul", { class: "fan", "aria-label": t("your_cards") }, range(0, hand.cards - 1).map((position) => (h("li", { key: position },
            h("button", { class: `card${turn?.action === "blind_pick" ? " legal" : ""}`, disabled: turn?.action !== "blind_pick" || game.pending !== undefined, "aria-label": t("blind_card", { n: position + 1 }), onClick: () => void game.move({ action: "blind_pick", position }) },
                h(CardFace, null)))))));
    }
    if (!hand.my_cards) {
        const hasPlayed = hand.trick.some(({ seat }) => seat === board.my_seat) || hand.tricks_won.some((won) => won > 0);
        return (h("div", { class: "fan india" },
            !hasPlayed && h(PlacedCard, null),
            !hasPlayed && h("p", { class: "muted" }, t("india_hint"))));
    }
    const cards = sorted(hand.my_cards, hand.trump, game.rules?.deck.rank_order);
    const isNarrow = matchMedia("(max-width: 520px)").matches;
    const half = cards.length > FULL_ROW && isNarrow ? Math.ceil(cards.length / 2) : cards.length;
    const needsTwoTaps = matchMedia("(pointer: coarse)").matches && cards.length > 4;
    const choose = (card) => {
        if (!legal)
            return;
        const isLegal = legal.includes(card);
        if (lifted !== card && (needsTwoTaps || (isPenalised && !isLegal)))
            return setLift({ card, key });
        void game.move({ action: "play", card });
    };
    const rows = [cards.slice(0, half), cards.slice(half)].filter((row) => row.length > 0);
    return (h("div", { class: "hand-cards" },
        isPenalised && lifted && legal && !legal.includes(lifted) && h("p", { class: "hook" }, t("claim_warn")),
        rows.map((row, index) => (h("ul", { key: index, class: `fan size-${Math.min(row.length, 12)}`, "aria-label": t("your_cards") }, row.map((card, order) => {
            const isLegal = legal?.includes(card) ?? false;
            const isPending = game.pending?.action === "play" && game.pending.card === card;
            const middle = order - (row.length - 1) / 2;
            return (h("li", { key: card, style: { "--turn": `${(middle * Math.min(4, 26 / row.length)).toFixed(2)}deg`, "--drop": `${(middle * middle * (row.length > 6 ? 0.9 : 1.6)).toFixed(1)}px` } },
                h("button", { class: `card${legal ? (isLegal ? " legal" : " illegal") : ""}${isPending ? " pending" : ""}${lifted === card ? " lifted" : ""}`, "aria-disabled": !legal || game.pending !== undefined, "aria-label": `${cardName(card)}${legal && !isLegal ? `, ${t("not_legal")}` : ""}`, "data-card": card, onClick: () => choose(card) },
                    h(CardFace, { card: card }))));
        }))))));
}
function range(from, to) {
    return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}
