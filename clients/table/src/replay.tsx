// A finished game once more, from its record: hand by hand, card by card, with all cards open.
import type { Board, Card, GameRecord, HandView } from "../../typescript/src/index.js";
import { PlacedCard } from "./cards.js";
import { explain, pocha } from "./session.js";
import { Header } from "./home.js";
import { Problem } from "./parts.js";
import { Facts, Felt, handName, HandTitle, sorted } from "./table.js";
import { seatName, t } from "./i18n.js";
import { h, useEffect, useState, type VNode } from "./vendor/preact.js";

type Recorded = GameRecord["hands"][number];

export function Replay({ id, tools }: { id: string; tools: VNode }): VNode {
  const [record, setRecord] = useState<GameRecord>();
  const [scheduled, setScheduled] = useState<number>();
  const [problem, setProblem] = useState<string>();
  const [at, setAt] = useState({ hand: 0, plays: 0 });
  const [verdict, setVerdict] = useState<string>();
  useEffect(() => {
    const read = async () => {
      const [record, { schedule }] = await Promise.all([pocha.record(id), pocha.gameRuleset(id)]);
      setScheduled(schedule.hands.length);
      setRecord(record);
    };
    read().catch((error: unknown) => setProblem(explain(error)));
  }, [id]);
  const hand = record?.hands[at.hand];
  if (!record || !hand) {
    return (
      <div class="home">
        <Header tools={tools} />
        <main class="narrow"><section class="panel"><Problem text={problem} /><a class="button" href="#/">{t("home")}</a></section></main>
      </div>
    );
  }
  const { board, taken } = boardAt(record, at.hand, at.plays);
  const step = (by: number) => {
    const plays = at.plays + by;
    const before = record.hands[at.hand - 1];
    if (plays > hand.plays.length) return at.hand + 1 < record.hands.length && setAt({ hand: at.hand + 1, plays: 0 });
    if (plays < 0) return before && setAt({ hand: at.hand - 1, plays: before.plays.length });
    return setAt({ ...at, plays });
  };
  const check = async () => setVerdict(t((await isCommitted(record)) ? "verified" : "not_verified"));
  const isLast = at.hand + 1 === record.hands.length && at.plays === hand.plays.length;
  return (
    <div class={`table playing replay of-${board.players}`}>
      <header class="top">
        <a class="brand" href={`#/t/${id}`}>{t("replay")}</a>
        {board.hand && <HandTitle hand={board.hand} scheduled={scheduled} />}
        <div class="tools" />
      </header>
      <main>
        <h1 class="hidden">{t("replay")}</h1>
        <Felt board={board} clockOffset={0} scene={{ acting: undefined, bubble: undefined, said: {}, notice: undefined, taken }} />
        {board.hand && <Facts board={board} hand={board.hand} scheduled={scheduled} />}
        <ul class="open-hands">
          {board.seats.map(({ seat }) => (
            <li key={seat}>
              <span class="name">{seatName(board, seat)}</span>
              {sorted(left(hand, seat, at.plays), hand.trump, record.ruleset.deck.rank_order).map((card) => <PlacedCard key={card} card={card} />)}
            </li>
          ))}
        </ul>
        <div class="actions">
          <label>
            <span class="hidden">{t("all_hands")}</span>
            <select name="hand" value={at.hand} onChange={(event) => setAt({ hand: Number(event.currentTarget.value), plays: 0 })}>
              {record.hands.map((each, index) => <option key={index} value={index} selected={index === at.hand}>{handName(each.number, record.hands.length, scheduled)}</option>)}
            </select>
          </label>
          <button disabled={at.hand === 0 && at.plays === 0} onClick={() => step(-1)}>{t("previous")}</button>
          <button class="primary" disabled={isLast} onClick={() => step(1)}>{t("next")}</button>
          {window.isSecureContext && <button onClick={() => void check()}>{t("verify")}</button>}
        </div>
        <p class="verdict" role="status">{verdict}</p>
      </main>
    </div>
  );
}

/** Return the cards that a seat still holds after so many cards were played. */
function left(hand: Recorded, seat: number, plays: number): Card[] {
  const gone = new Set(hand.plays.slice(0, plays).map(({ card }) => card));
  return (hand.hands.find((each) => each.seat === seat)?.cards ?? []).filter((card) => !gone.has(card));
}

/** Return the table after so many cards of a hand, with the ranks before it, and the trick that was just completed. */
function boardAt(record: GameRecord, index: number, plays: number): { board: Board; taken: { winner: number; plays: HandView["trick"]; isSwept: boolean } | undefined } {
  const hand = record.hands[index] as Recorded;
  const count = record.seats.length;
  const isComplete = plays > 0 && plays % count === 0;
  const shown = Math.floor(plays / count) - Number(isComplete);
  const trick = hand.plays.slice(shown * count, plays);
  const isOver = plays === hand.plays.length;
  const before = record.hands[index - 1]?.scores ?? [];
  const scores = isOver ? hand.scores : before;
  const rankOf = (seat: number) => 1 + before.filter(({ total }) => total > totalOf(before, seat)).length;
  const winner = hand.tricks[shown];
  const view: HandView = {
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
  const board: Board = {
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

const totalOf = (scores: Recorded["scores"], seat: number) => scores.find((score) => score.seat === seat)?.total ?? 0;

/** Tell whether the commitment that was published before the game is the digest of the seed that all deals follow from. */
async function isCommitted(record: GameRecord): Promise<boolean> {
  const seed = Uint8Array.from(record.server_seed.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", seed));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("") === record.commitment;
}
