// Scores: of the hand just played, of the whole game, and its end; and claims, which cost points.
import type { Board, ScoreSheet } from "../../typescript/src/index.js";
import { CardFace, SuitSign } from "./cards.js";
import { cardsText, type Scored as ScoredEvent } from "./director.js";
import { cardName, figure, kindName, seatName, t } from "./i18n.js";
import { Avatar, Dialog, Problem, useWidth } from "./parts.js";
import { explain, pocha } from "./session.js";
import type { Game } from "./useGame.js";
import { Fragment, h, useEffect, useRef, useState, type VNode } from "./vendor/preact.js";

export function Scored({ board, scored, onDone }: { board: Board; scored: ScoredEvent; onDone: () => void }): VNode {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => button.current?.focus({ preventScroll: true }), []);
  const rows = [...scored.scores].sort((one, other) => one.rank - other.rank || one.seat - other.seat);
  return (
    <section class="scored panel" aria-label={t("hand_result", { n: scored.number })}>
      <h2>{t("hand_result", { n: scored.number })}</h2>
      <table>
        <thead>
          <tr><th scope="col">{t("player")}</th><th scope="col">{t("bid")}</th><th scope="col">{t("tricks")}</th><th scope="col">{t("hand_points")}</th><th scope="col">{t("total")}</th></tr>
        </thead>
        <tbody>
          {rows.map(({ seat, bid, tricks, points, total }) => (
            <tr key={seat} class={`${bid === tricks ? "hit" : "miss"}${seat === board.my_seat ? " mine" : ""}`}>
              <th scope="row">{seat === board.my_seat ? t("you") : seatName(board, seat)}</th>
              <td>{bid}</td>
              <td>{tricks} <span aria-hidden="true">{bid === tricks ? "✓" : "✗"}</span></td>
              <td>{points > 0 ? `+${figure(points)}` : figure(points)}</td>
              <td><strong>{figure(total)}</strong></td>
            </tr>
          ))}
        </tbody>
      </table>
      <button ref={button} class="primary" onClick={onDone}>{t("next")}</button>
    </section>
  );
}

export function Sheet({ id, onClose }: { id: string; onClose: () => void }): VNode {
  const [sheet, setSheet] = useState<ScoreSheet>();
  const [problem, setProblem] = useState<string>();
  const width = useWidth();
  useEffect(() => {
    pocha.scoreSheet(id).then(setSheet, (error: unknown) => setProblem(explain(error)));
  }, [id]);
  return (
    <Dialog title={t("sheet")} onClose={onClose} class="sheet">
      <Problem text={problem} />
      {sheet && (sheet.rows.length === 0 ? <p>{t("sheet_empty")}</p> : width < 110 + 66 * sheet.seats.length ? <HandByHand sheet={sheet} /> : <Grid sheet={sheet} />)}
    </Dialog>
  );
}

const hitOrMiss = ({ bid, tricks }: { bid: number; tricks: number }) => (bid === tricks ? "hit" : "miss");
const signed = (points: number) => (points > 0 ? `+${figure(points)}` : figure(points));
const nameIn = (sheet: ScoreSheet, seat: number) => seatName(sheet as unknown as Board, seat);

function HandLabel({ row }: { row: ScoreSheet["rows"][number] }): VNode {
  return (
    <>
      {row.number} <span class="muted">{row.kind === "normal" ? cardsText(row.cards) : kindName(row.kind)}</span> {row.trump && <SuitSign suit={row.trump} size={14} />}{row.multiplier > 1 && <span class="muted"> ×{row.multiplier}</span>}
    </>
  );
}

function Grid({ sheet }: { sheet: ScoreSheet }): VNode {
  return (
    <div class="wide" role="region" aria-label={t("sheet")} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">#</th>
            {sheet.seats.map(({ seat }) => <th key={seat} scope="col">{nameIn(sheet, seat)}</th>)}
          </tr>
        </thead>
        <tbody>
          {sheet.rows.map((row) => (
            <tr key={row.number}>
              <th scope="row"><HandLabel row={row} /></th>
              {row.entries.map((entry, seat) => (
                <td key={seat} class={hitOrMiss(entry)}>
                  <strong>{figure(entry.total)}</strong>
                  <small>{entry.tricks}/{entry.bid} <span aria-hidden="true">{entry.bid === entry.tricks ? "✓" : "✗"}</span> {signed(entry.points)}</small>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr><th scope="row">{t("total")}</th>{sheet.totals.map((total, seat) => <td key={seat}><strong>{figure(total)}</strong></td>)}</tr>
        </tfoot>
      </table>
    </div>
  );
}

/** The sheet where a column for each player does not fit: the totals, then a table for each hand, the latest first. */
function HandByHand({ sheet }: { sheet: ScoreSheet }): VNode {
  const order = sheet.seats.map(({ seat }) => seat).sort((one, other) => (sheet.totals[other] ?? 0) - (sheet.totals[one] ?? 0));
  return (
    <div class="by-hand">
      <table>
        <caption>{t("total")}</caption>
        <tbody>{order.map((seat) => <tr key={seat}><th scope="row">{nameIn(sheet, seat)}</th><td><strong>{figure(sheet.totals[seat] ?? 0)}</strong></td></tr>)}</tbody>
      </table>
      {[...sheet.rows].reverse().map((row) => (
        <table key={row.number}>
          <caption><HandLabel row={row} /></caption>
          <tbody>
            {row.entries.map((entry, seat) => (
              <tr key={seat} class={hitOrMiss(entry)}>
                <th scope="row">{nameIn(sheet, seat)}</th>
                <td>{entry.tricks}/{entry.bid} <span aria-hidden="true">{entry.bid === entry.tricks ? "✓" : "✗"}</span></td>
                <td>{signed(entry.points)}</td>
                <td><strong>{figure(entry.total)}</strong></td>
              </tr>
            ))}
          </tbody>
        </table>
      ))}
    </div>
  );
}

export function Outcome({ board, game, onSheet }: { board: Board; game: Game; onSheet: () => void }): VNode {
  const winners = board.result?.winners ?? [];
  const isMine = board.my_seat !== undefined && winners.includes(board.my_seat);
  const headline = board.status === "abandoned" ? t("abandoned") : isMine && winners.length === 1 ? t("you_win") : t("wins", { name: winners.map((seat) => seatName(board, seat)).join(", ") });
  const ranking = [...board.scores].sort((one, other) => one.rank - other.rank);
  const rematch = () => game.attempt(async () => {
    const next = await pocha.rematch(board.game_id);
    location.hash = `#/t/${next.game_id}`;
  });
  return (
    <section class={`outcome panel${isMine ? " won" : ""}`} aria-label={t("game_over")}>
      <h2>{headline}</h2>
      <ol class="podium">
        {ranking.map(({ seat, points, rank, exact, missed }) => (
          <li key={seat} class={winners.includes(seat) ? "winner" : ""}>
            <span class="rank">{rank}</span>
            <Avatar name={seatName(board, seat)} seat={seat} isRobot={board.seats[seat]?.robot !== undefined} />
            <span class="name">{seat === board.my_seat ? t("you") : seatName(board, seat)}</span>
            <span class="muted">{exact}/{exact + missed} ✓</span>
            <strong>{figure(points)}</strong>
          </li>
        ))}
      </ol>
      <div class="actions">
        {board.my_seat !== undefined && <button class="primary" onClick={() => void rematch()}>{t("rematch")}</button>}
        <button onClick={onSheet}>{t("sheet")}</button>
        {board.status === "finished" && <a class="button" href={`#/t/${board.game_id}/replay`}>{t("replay")}</a>}
        <a class="button" href="#/">{t("home")}</a>
      </div>
    </section>
  );
}

/** The cards of the rivals that may be claimed: those of the trick on the table and of the last one. */
export function Claims({ board, game, onClose }: { board: Board; game: Game; onClose: () => void }): VNode {
  const hand = board.hand;
  const done = hand?.tricks_won.reduce((sum, won) => sum + won, 0) ?? 0;
  const tricks = [
    ...(hand?.trick.length ? [{ number: done + 1, plays: hand.trick }] : []),
    ...(hand?.last_trick ? [{ number: done, plays: hand.last_trick.plays }] : []),
  ];
  const claim = (seat: number, trick: number) => {
    void game.attempt(() => pocha.claimRenuncio(board.game_id, seat, trick));
    onClose();
  };
  return (
    <Dialog title={t("claim")} onClose={onClose}>
      <p>{t("claim_prompt")}</p>
      {tricks.map(({ number, plays }) => (
        <section key={number}>
          <h3>{t("trick_n", { n: number })}</h3>
          <ul class="claims">
            {plays.filter(({ seat }) => seat !== board.my_seat).map(({ seat, card }) => (
              <li key={card}>
                <button class="card" aria-label={t("says_card", { name: seatName(board, seat), card: cardName(card) })} onClick={() => claim(seat, number)}><CardFace card={card} /></button>
                <span>{seatName(board, seat)}</span>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </Dialog>
  );
}

