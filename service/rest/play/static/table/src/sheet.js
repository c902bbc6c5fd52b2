import { CardFace, SuitSign } from "./cards.js";
import { cardsText } from "./director.js";
import { cardName, figure, kindName, seatName, t } from "./i18n.js";
import { Avatar, Dialog, Problem, useWidth } from "./parts.js";
import { explain, pocha } from "./session.js";
import { Fragment, h, useEffect, useRef, useState } from "./vendor/preact.js";
export function Scored({ board, scored, onDone }) {
    const button = useRef(null);
    useEffect(() => button.current?.focus({ preventScroll: true }), []);
    const rows = [...scored.scores].sort((one, other) => one.rank - other.rank || one.seat - other.seat);
    return (h("section", { class: "scored panel", "aria-label": t("hand_result", { n: scored.number }) },
        h("h2", null, t("hand_result", { n: scored.number })),
        h("table", null,
            h("thead", null,
                h("tr", null,
                    h("th", { scope: "col" }, t("player")),
                    h("th", { scope: "col" }, t("bid")),
                    h("th", { scope: "col" }, t("tricks")),
                    h("th", { scope: "col" }, t("hand_points")),
                    h("th", { scope: "col" }, t("total")))),
            h("tbody", null, rows.map(({ seat, bid, tricks, points, total }) => (h("tr", { key: seat, class: `${bid === tricks ? "hit" : "miss"}${seat === board.my_seat ? " mine" : ""}` },
                h("th", { scope: "row" }, seat === board.my_seat ? t("you") : seatName(board, seat)),
                h("td", null, bid),
                h("td", null,
                    tricks,
                    " ",
                    h("span", { "aria-hidden": "true" }, bid === tricks ? "✓" : "✗")),
                h("td", null, points > 0 ? `+${figure(points)}` : figure(points)),
                h("td", null,
                    h("strong", null, figure(total)))))))),
        h("button", { ref: button, class: "primary", onClick: onDone }, t("next"))));
}
export function Sheet({ id, onClose }) {
    const [sheet, setSheet] = useState();
    const [problem, setProblem] = useState();
    const width = useWidth();
    useEffect(() => {
        pocha.scoreSheet(id).then(setSheet, (error) => setProblem(explain(error)));
    }, [id]);
    return (h(Dialog, { title: t("sheet"), onClose: onClose, class: "sheet" },
        h(Problem, { text: problem }),
        sheet && (sheet.rows.length === 0 ? h("p", null, t("sheet_empty")) : width < 110 + 66 * sheet.seats.length ? h(HandByHand, { sheet: sheet }) : h(Grid, { sheet: sheet }))));
}
const hitOrMiss = ({ bid, tricks }) => (bid === tricks ? "hit" : "miss");
const signed = (points) => (points > 0 ? `+${figure(points)}` : figure(points));
const nameIn = (sheet, seat) => seatName(sheet, seat);
function HandLabel({ row }) {
    return (h(Fragment, null,
        row.number,
        " ",
        h("span", { class: "muted" }, row.kind === "normal" ? cardsText(row.cards) : kindName(row.kind)),
        " ",
        row.trump && h(SuitSign, { suit: row.trump, size: 14 }),
        row.multiplier > 1 && h("span", { class: "muted" },
            " \u00D7",
            row.multiplier)));
}
function Grid({ sheet }) {
    return (h("div", { class: "wide", role: "region", "aria-label": t("sheet"), tabIndex: 0 },
        h("table", null,
            h("thead", null,
                h("tr", null,
                    h("th", { scope: "col" }, "#"),
                    sheet.seats.map(({ seat }) => h("th", { key: seat, scope: "col" }, nameIn(sheet, seat))))),
            h("tbody", null, sheet.rows.map((row) => (h("tr", { key: row.number },
                h("th", { scope: "row" },
                    h(HandLabel, { row: row })),
                row.entries.map((entry, seat) => (h("td", { key: seat, class: hitOrMiss(entry) },
                    h("strong", null, figure(entry.total)),
                    h("small", null,
                        entry.tricks,
                        "/",
                        entry.bid,
                        " ",
                        h("span", { "aria-hidden": "true" }, entry.bid === entry.tricks ? "✓" : "✗"),
                        " ",
                        signed(entry.points))))))))),
            h("tfoot", null,
                h("tr", null,
                    h("th", { scope: "row" }, t("total")),
                    sheet.totals.map((total, seat) => h("td", { key: seat },
                        h("strong", null, figure(total)))))))));
}
function HandByHand({ sheet }) {
    const order = sheet.seats.map(({ seat }) => seat).sort((one, other) => (sheet.totals[other] ?? 0) - (sheet.totals[one] ?? 0));
    return (h("div", { class: "by-hand" },
        h("table", null,
            h("caption", null, t("total")),
            h("tbody", null, order.map((seat) => h("tr", { key: seat },
                h("th", { scope: "row" }, nameIn(sheet, seat)),
                h("td", null,
                    h("strong", null, figure(sheet.totals[seat] ?? 0))))))),
        [...sheet.rows].reverse().map((row) => (h("table", { key: row.number },
            h("caption", null,
                h(HandLabel, { row: row })),
            h("tbody", null, row.entries.map((entry, seat) => (h("tr", { key: seat, class: hitOrMiss(entry) },
                h("th", { scope: "row" }, nameIn(sheet, seat)),
                h("td", null,
                    entry.tricks,
                    "/",
                    entry.bid,
                    " ",
                    h("span", { "aria-hidden": "true" }, entry.bid === entry.tricks ? "✓" : "✗")),
                h("td", null, signed(entry.points)),
                h("td", null,
                    h("strong", null, figure(entry.total))))))))))));
}
export function Outcome({ board, game, onSheet }) {
    const winners = board.result?.winners ?? [];
    const isMine = board.my_seat !== undefined && winners.includes(board.my_seat);
    const headline = board.status === "abandoned" ? t("abandoned") : isMine && winners.length === 1 ? t("you_win") : t("wins", { name: winners.map((seat) => seatName(board, seat)).join(", ") });
    const ranking = [...board.scores].sort((one, other) => one.rank - other.rank);
    const rematch = () => game.attempt(async () => {
        const next = await pocha.rematch(board.game_id);
        location.hash = `#/t/${next.game_id}`;
    });
    return (h("section", { class: `outcome panel${isMine ? " won" : ""}`, "aria-label": t("game_over") },
        h("h2", null, headline),
        h("ol", { class: "podium" }, ranking.map(({ seat, points, rank, exact, missed }) => (h("li", { key: seat, class: winners.includes(seat) ? "winner" : "" },
            h("span", { class: "rank" }, rank),
            h(Avatar, { name: seatName(board, seat), seat: seat, isRobot: board.seats[seat]?.robot !== undefined }),
            h("span", { class: "name" }, seat === board.my_seat ? t("you") : seatName(board, seat)),
            h("span", { class: "muted" },
                exact,
                "/",
                exact + missed,
                " \u2713"),
            h("strong", null, figure(points)))))),
        h("div", { class: "actions" },
            board.my_seat !== undefined && h("button", { class: "primary", onClick: () => void rematch() }, t("rematch")),
            h("button", { onClick: onSheet }, t("sheet")),
            board.status === "finished" && h("a", { class: "button", href: `#/t/${board.game_id}/replay` }, t("replay")),
            h("a", { class: "button", href: "#/" }, t("home")))));
}
export function Claims({ board, game, onClose }) {
    const hand = board.hand;
    const done = hand?.tricks_won.reduce((sum, won) => sum + won, 0) ?? 0;
    const tricks = [
        ...(hand?.trick.length ? [{ number: done + 1, plays: hand.trick }] : []),
        ...(hand?.last_trick ? [{ number: done, plays: hand.last_trick.plays }] : []),
    ];
    const claim = (seat, trick) => {
        void game.attempt(() => pocha.claimRenuncio(board.game_id, seat, trick));
        onClose();
    };
    return (h(Dialog, { title: t("claim"), onClose: onClose },
        h("p", null, t("claim_prompt")),
        tricks.map(({ number, plays }) => (h("section", { key: number },
            h("h3", null, t("trick_n", { n: number })),
            h("ul", { class: "claims" }, plays.filter(({ seat }) => seat !== board.my_seat).map(({ seat, card }) => (h("li", { key: card },
                h("button", { class: "card", "aria-label": t("says_card", { name: seatName(board, seat), card: cardName(card) }), onClick: () => claim(seat, number) },
                    h(CardFace, { card: card })),
                h("span", null, seatName(board, seat)))))))))));
}
