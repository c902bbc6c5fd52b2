// The table: seats around the felt, the trick in the middle, one's own cards at the bottom.
import type { Board, Card, HandView, Level, Suit } from "../../typescript/src/index.js";
import { PlacedCard, CardFace, SuitSign } from "./cards.js";
import { cardsText, leaders, prompt, trumpText, type Scene } from "./director.js";
import { cardName, figure, kindName, levelName, meaning, seatName, split, suitName, t } from "./i18n.js";
import { Avatar, Dialog, Icon, Invitation, Problem, QrCode } from "./parts.js";
import { Header } from "./home.js";
import { Claims, Outcome, Scored, Sheet } from "./sheet.js";
import { me, pocha } from "./session.js";
import { others, Talk } from "./talk.js";
import { useGame, type Game } from "./useGame.js";
import { h, useEffect, useState, type VNode } from "./vendor/preact.js";

export function Table({ id, tools, onUnknown }: { id: string; tools: VNode; onUnknown: () => void }): VNode {
  const game = useGame(id, onUnknown);
  const [open, setOpen] = useState<"sheet" | "say" | "leave" | "claim" | "settings">();
  const { scene, log } = game.director;
  const board = scene.board;
  if (!board) {
    return (
      <div class="home">
        <Header tools={tools} />
        <main class="narrow">
          <section class="panel">
            {game.isUnknown ? <Problem text={game.problem ?? t("not_found")} /> : <p>{t("loading")}</p>}
            <a class="button" href="#/">{t("home")}</a>
          </section>
        </main>
      </div>
    );
  }
  const mine = board.my_seat;
  const isOver = board.status === "finished" || board.status === "abandoned";
  return (
    <div class={`table ${board.status} of-${board.players}`} data-version={game.newest?.version}>
      <header class="top">
        <a class="brand" href="#/" aria-label={t("home")}><Icon name="back" /> <span>{t("title")}</span></a>
        {board.hand && <HandTitle hand={board.hand} scheduled={game.scheduled} />}
        <div class="tools">
          {mine !== undefined && !isOver && others(board).length > 0 && <button class="icon" aria-label={t("say")} title={t("say")} onClick={() => setOpen("say")}><Icon name="say" /></button>}
          {board.status !== "waiting" && <button class="icon" aria-label={t("sheet")} title={t("sheet")} onClick={() => setOpen("sheet")}><Icon name="sheet" /></button>}
          {mine !== undefined && !isOver && <button class="icon" aria-label={t("leave")} title={t("leave")} onClick={() => setOpen("leave")}><Icon name="leave" /></button>}
          <button class="icon" aria-label={t("settings")} title={t("settings")} onClick={() => setOpen("settings")}><Icon name="settings" /></button>
        </div>
      </header>
      {!game.isConnected && !isOver && <p class="banner" role="status">{t("reconnecting")}</p>}
      <main>
        <h1 class="hidden">{board.ruleset.title}</h1>
        {board.status === "waiting" ? <Waiting board={board} game={game} said={scene.said} /> : <Felt board={board} clockOffset={game.clockOffset} scene={scene} />}
        {board.hand && <Facts board={board} hand={board.hand} scheduled={game.scheduled} />}
        {game.problem && <Toast text={game.problem} onClose={game.clearProblem} />}
        {board.status === "playing" && <Own board={board} game={game} scene={scene} onClaim={() => setOpen("claim")} />}
      </main>
      {isOver && !scene.isBusy && <Outcome board={board} game={game} onSheet={() => setOpen("sheet")} />}
      {scene.scored && <Scored board={board} scored={scene.scored} onDone={() => game.director.skip()} />}
      {open === "sheet" && <Sheet id={id} onClose={() => setOpen(undefined)} />}
      {open === "settings" && <Dialog title={t("settings")} onClose={() => setOpen(undefined)} class="settings">{tools}</Dialog>}
      {open === "say" && <Talk board={board} game={game} onClose={() => setOpen(undefined)} />}
      {open === "claim" && <Claims board={board} game={game} onClose={() => setOpen(undefined)} />}
      {open === "leave" && mine !== undefined && (
        <Dialog title={t("leave")} onClose={() => setOpen(undefined)}>
          {board.status === "playing" && <p>{t("leave_sure")}</p>}
          <div class="actions">
            <button class="primary" onClick={() => void game.attempt(() => pocha.leave(id, mine)).then(() => (location.hash = "#/"))}>{t("leave")}</button>
            <button onClick={() => setOpen(undefined)}>{t("cancel")}</button>
          </div>
        </Dialog>
      )}
      <div class="hidden" role="log" aria-live="polite" aria-relevant="additions">
        {log.map(({ id: line, text }) => <p key={line}>{text}</p>)}
      </div>
    </div>
  );
}

/** What went wrong, above the own place, which it does not cover. */
function Toast({ text, onClose }: { text: string; onClose: () => void }): VNode {
  return (
    <div class="toast-place">
      <div class="toast" role="alert">
        <p>{text}</p>
        <button class="icon" aria-label={t("close")} onClick={onClose}>×</button>
      </div>
    </div>
  );
}

/** Return which hand after the scheduled ones this is: they break a tie for the win; 0 for a scheduled one. */
function extra(hand: Pick<HandView, "number">, scheduled: number | undefined): number {
  return Math.max(0, hand.number - (scheduled ?? hand.number));
}

/** Return what a hand is called: by its number, or as one that breaks a tie. */
export function handName(number: number, of: number, scheduled: number | undefined): string {
  const nth = extra({ number }, scheduled);
  return nth > 0 ? t("tie_break_n", { n: nth }) : t("hand_of", { n: number, of: scheduled ?? of });
}

export function HandTitle({ hand, scheduled }: { hand: HandView; scheduled?: number | undefined }): VNode {
  const nth = extra(hand, scheduled);
  const kind = hand.kind === "normal" || (nth > 0 && hand.kind === "tie_break") ? "" : kindName(hand.kind);
  return (
    <p class="hand-title">
      <span>{handName(hand.number, hand.of, scheduled)}</span>
      <span class="muted"> · {kind && <strong class="kind" title={meaning(hand.kind)}>{kind}, </strong>}{cardsText(hand.cards)}</span>
    </p>
  );
}

// ---- before the start

function Waiting({ board, game, said }: { board: Board; game: Game; said: Scene["said"] }): VNode {
  const isHost = board.my_seat === 0;
  const [level, setLevel] = useState<Level>("normal");
  const address = new URL(`#/join/${board.game_id}${board.invite_code ? `/${board.invite_code}` : ""}`, document.baseURI).href;
  const link = new URL(location.pathname + new URL(address).hash, location.href).href;
  return (
    <div class="waiting">
      <section class="panel" aria-labelledby="seats">
        <h2 id="seats">{t("waiting_for_players")}</h2>
        <p class="muted">{board.ruleset.title}{board.turn_seconds ? ` · ${t("seconds", { n: board.turn_seconds })}` : ""}</p>
        <ul class="tables">
          {board.seats.map(({ seat, player, robot }) => {
            const name = seatName(board, seat);
            const isFree = !player && !robot;
            return (
              <li key={seat} class={isFree ? "free" : ""}>
                <span class="sitting">
                  <Avatar name={isFree ? "+" : name} seat={seat} isRobot={robot !== undefined} />
                  <span>{name}{robot ? ` (${levelName(robot.level)})` : ""}{seat === board.my_seat ? ` (${t("you")})` : ""}</span>
                  {said[seat] && <span class="bubble" aria-hidden="true">{said[seat]}</span>}
                </span>
                {isFree && board.my_seat === undefined && <button onClick={() => void game.attempt(() => pocha.join(board.game_id, { seat }))}>{t("sit_here")}</button>}
                {isFree && isHost && <button onClick={() => void game.attempt(() => pocha.seatRobot(board.game_id, seat, level))}>{t("add_robot")}</button>}
              </li>
            );
          })}
        </ul>
        {isHost && (
          <label class="field inline">
            <span>{t("level")}</span>
            <select name="level" value={level} onChange={(event) => setLevel(event.currentTarget.value as Level)}>
              {(["easy", "normal", "hard"] as Level[]).map((each) => <option key={each} value={each} selected={each === level}>{levelName(each)}</option>)}
            </select>
          </label>
        )}
      </section>
      <section class="panel" aria-labelledby="invite">
        <h2 id="invite">{t("invite")}</h2>
        <p class="muted">{t("invite_hint")}</p>
        <Invitation address={link} />
        {board.my_seat !== undefined && <TableCode id={board.game_id} />}
        <QrCode text={link} />
      </section>
    </div>
  );
}

/** The code by which others sit down, for those who have no link. */
function TableCode({ id }: { id: string }): VNode | null {
  const [code, setCode] = useState<string>();
  useEffect(() => {
    pocha.joinCode(id).then((found) => setCode(found.code), () => undefined); // the link is there
  }, [id]);
  return code ? <p class="code"><span class="muted">{t("code_hint")}</span> <strong>{code}</strong></p> : null;
}

// ---- the felt

interface Place {
  x: number;
  y: number;
  dx: number;
  dy: number;
}

/** Return where a seat is around the felt, in parts of its size from -1 to 1: the own one at the bottom, the next ones counter-clockwise. */
function placeOf(board: Board, seat: number): Place {
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
  // A rounded rectangle rather than an ellipse: seats use the corners too.
  const power = 0.72;
  return { x: Math.sign(dx) * Math.abs(dx) ** power, y: Math.sign(dy) * Math.abs(dy) ** power, dx, dy };
}

const at = ({ x, y }: Place, spread = 1) => ({ left: `${50 + 50 * x * spread}%`, top: `${50 + 50 * y * spread}%` });

export function Felt({ board, clockOffset, scene }: { board: Board; clockOffset: number; scene: Pick<Scene, "acting" | "bubble" | "notice" | "said" | "taken"> }): VNode {
  const hand = board.hand;
  const trick = scene.taken?.plays ?? hand?.trick ?? [];
  return (
    <div class={`felt${board.players > 6 ? " crowded" : ""}`}>
      <div class="rim" aria-hidden="true" />
      <ul class="seats" aria-label={t("players")}>
        {board.seats.map(({ seat }) => seat !== board.my_seat && <Seat key={seat} board={board} seat={seat} scene={scene} clockOffset={clockOffset} />)}
      </ul>
      <div class="middle">
        {hand && <Stock hand={hand} isCovered={trick.length > 0} />}
        <ul class={`trick${scene.taken?.isSwept ? " swept" : ""}`} aria-label={t("on_table")}>
          {trick.map(({ seat, card }, order) => {
            const place = placeOf(board, seat);
            const winner = scene.taken && placeOf(board, scene.taken.winner);
            const isWinner = scene.taken?.winner === seat;
            const where = scene.taken?.isSwept && winner ? { left: `${50 + 190 * winner.x}%`, top: `${50 + 190 * winner.y}%` } : at(place, 0.92);
            return (
              <li key={card} class={`played${isWinner ? " winner" : ""}`} style={{ ...where, "--from-x": `${place.dx * 90}px`, "--from-y": `${place.dy * 90}px`, "--tilt": `${((seat * 47 + order * 13) % 13) - 6}deg` }}>
                <PlacedCard card={card as Card} />
                <span class="hidden">{seatName(board, seat)}</span>
              </li>
            );
          })}
        </ul>
      </div>
      {scene.notice && <p class="notice" aria-hidden="true">{scene.notice}</p>}
      {board.my_seat === undefined && board.status === "playing" && <p class="watching">{t("spectating")}</p>}
    </div>
  );
}

export function Facts({ board, hand, scheduled }: { board: Board; hand: HandView; scheduled?: number | undefined }): VNode {
  const sum = hand.bids.reduce((total, { bid }) => total + bid, 0);
  const isComplete = hand.bids.length === board.players;
  const gap = sum - hand.cards;
  return (
    <ul class="facts">
      {extra(hand, scheduled) > 0 && <li class="tied">{t("tied", { names: leaders(board) })}</li>}
      <li class="trump-fact">
        {hand.trump ? <SuitSign suit={hand.trump} size={22} /> : <span aria-hidden="true">∅</span>}
        <span>{trumpText(hand)}{hand.multiplier > 1 && <strong> · {t("times", { n: hand.multiplier })}</strong>}</span>
      </li>
      <li>
        {t("bids_sum", { sum, cards: hand.cards })}
        {isComplete && gap !== 0 && <strong> · {gap > 0 ? t("over", { n: gap }) : t("under", { n: -gap })}</strong>}
      </li>
    </ul>
  );
}

function Stock({ hand, isCovered }: { hand: HandView; isCovered: boolean }): VNode | null {
  if (!hand.turn_up && !hand.stock_count) return null;
  return (
    <div class={`stock${isCovered ? " covered" : ""}`}>
      {hand.stock_count > 1 && <span class="card back" title={t("stock", { n: hand.stock_count })}><CardFace /></span>}
      {hand.turn_up && <PlacedCard card={hand.turn_up as Card} class="turn-up" />}
    </div>
  );
}

/** What a seat has bid and taken, and whether it can still be exact. */
function tally(board: Board, seat: number): { bid: number | undefined; tricks: number; state: string } {
  const hand = board.hand;
  const bid = hand?.bids.find((each) => each.seat === seat)?.bid;
  const tricks = hand?.tricks_won[seat] ?? 0;
  const state = bid === undefined ? "open" : tricks === bid ? "exact" : tricks > bid ? "over" : "under";
  return { bid, tricks, state };
}

function Seat({ board, seat, scene, clockOffset }: { board: Board; seat: number; scene: Pick<Scene, "acting" | "bubble" | "said">; clockOffset: number }): VNode {
  const view = board.seats[seat];
  const name = seatName(board, seat);
  const isRobot = view?.robot !== undefined;
  const isOnTurn = (scene.acting ?? board.turn?.seat) === seat;
  const isAbsent = view?.away !== undefined || view?.presence?.connected === false;
  const seen = board.hand?.seen_cards?.find((each) => each.seat === seat)?.cards;
  return (
    <li class={`seat${isOnTurn ? " on-turn" : ""}${isAbsent ? " absent" : ""}`} style={at(placeOf(board, seat))}>
      <Avatar name={name} seat={seat} isRobot={isRobot} />
      <span class="who">
        <span class="name" title={view?.away ? t("away", { name }) : name}>{name}</span>
        <Score board={board} seat={seat} />
      </span>
      <Tally board={board} seat={seat} />
      {board.hand?.dealer === seat && <span class="dealer" title={t("dealer")}><span aria-hidden="true">D</span><span class="hidden">{t("dealer")}</span></span>}
      {isAbsent && <span class="absence"><span aria-hidden="true">⌁</span><span class="hidden">{view?.away ? t("away", { name }) : t("offline")}</span></span>}
      {seen && !board.hand?.trick.some((play) => play.seat === seat) && board.hand?.tricks_won.every((won) => won === 0) && seen.map((card) => <PlacedCard key={card} card={card as Card} class="seen" />)}
      <Bubble scene={scene} seat={seat} />
      {isOnTurn && <Clock board={board} clockOffset={clockOffset} />}
    </li>
  );
}

/** What a seat calls, or else what its player says to the others: the log has both in words. */
function Bubble({ scene, seat }: { scene: Pick<Scene, "bubble" | "said">; seat: number }): VNode | null {
  if (scene.bubble?.seat === seat) return <span class="bubble" aria-hidden="true">{scene.bubble.text}</span>;
  return scene.said[seat] ? <span class="bubble said" aria-hidden="true">{scene.said[seat]}</span> : null;
}

function Score({ board, seat }: { board: Board; seat: number }): VNode {
  const score = board.scores[seat];
  return (
    <span class="score">
      <span aria-hidden="true">{score ? figure(score.points) : ""}</span>
      <span class="hidden">{t("points", { n: figure(score?.points ?? 0) })}</span>
    </span>
  );
}

function Tally({ board, seat }: { board: Board; seat: number }): VNode | null {
  if (!board.hand) return null;
  const { bid, tricks, state } = tally(board, seat);
  const call = board.hand.auction?.find((each) => each.seat === seat);
  const isAuction = bid === undefined && call !== undefined;
  return (
    <span class={`tally ${state}`}>
      <span aria-hidden="true">{isAuction ? (call.passed ? "–" : `(${call.bid})`) : bid === undefined ? "·" : <span>{tricks}<i>/</i>{bid}</span>}</span>
      <span class="hidden">{bid === undefined ? t("no_bid") : t("bid_of", { bid, tricks })}</span>
    </span>
  );
}

/** The time left of the turn, if it has a limit. */
function Clock({ board, clockOffset }: { board: Board; clockOffset: number }): VNode | null {
  const deadline = board.turn?.deadline;
  const [, tick] = useState(0);
  useEffect(() => {
    if (!deadline) return;
    const timer = setInterval(() => tick((count) => count + 1), 500);
    return () => clearInterval(timer);
  }, [deadline]);
  if (!deadline || !board.turn_seconds) return null;
  const left = Math.max(0, (Date.parse(deadline) - Date.now() - clockOffset) / 1000);
  const part = Math.min(1, left / board.turn_seconds);
  return (
    <span class={`clock${left < 6 ? " hurry" : ""}`} role="timer" aria-label={t("time_left", { n: Math.ceil(left) })}>
      <span class="left" style={{ width: `${part * 100}%` }} />
      <span class="figure" aria-hidden="true">{Math.ceil(left)}</span>
    </span>
  );
}

// ---- the own place

function Own({ board, game, scene, onClaim }: { board: Board; game: Game; scene: Scene; onClaim: () => void }): VNode | null {
  const seat = board.my_seat;
  const isPenalised = game.rules?.renuncio.mode === "penalised";
  if (seat === undefined) {
    const away = board.seats.find((each) => each.away?.player_id !== undefined && each.away.player_id === myId());
    return away ? <div class="own"><button class="primary big" onClick={() => void game.attempt(() => pocha.join(board.game_id))}>{t("come_back")}</button></div> : null;
  }
  const isMine = board.turn !== undefined && board.turn.action !== "wait" && !scene.isBusy;
  const text = game.pending ? t("sending") : scene.isBusy ? "" : prompt(board);
  return (
    <div class={`own${isMine ? " on-turn" : ""}`}>
      <div class="own-line">
        <div class={`seat me${isMine ? " on-turn" : ""}`}>
          <Avatar name={seatName(board, seat)} seat={seat} isRobot={false} />
          <span class="who">
            <span class="name">{t("you")}</span>
            <Score board={board} seat={seat} />
          </span>
          <Tally board={board} seat={seat} />
          {board.hand?.dealer === seat && <span class="dealer" title={t("dealer")}><span aria-hidden="true">D</span><span class="hidden">{t("dealer")}</span></span>}
          <Bubble scene={scene} seat={seat} />
        </div>
        <p class={`prompt${isMine ? " mine" : ""}`}>{text}</p>
        {isMine && <Clock board={board} clockOffset={game.clockOffset} />}
        {isPenalised && <button class="claim" onClick={onClaim}>{t("claim")}</button>}
      </div>
      {isMine && <Actions board={board} game={game} />}
      {board.hand && <Cards board={board} hand={board.hand} game={game} isMine={isMine} isPenalised={isPenalised} />}
    </div>
  );
}

const myId = () => me()?.player_id;

function Actions({ board, game }: { board: Board; game: Game }): VNode | null {
  const turn = board.turn;
  const isPending = game.pending !== undefined;
  if (turn?.action === "bid") {
    const bids = range(0, board.hand?.cards ?? 0);
    return (
      <div class="actions bids" role="group" aria-label={t("bid_prompt")}>
        {turn.forbidden_bid !== undefined && <p class="hook">{t("hook_note", { n: turn.forbidden_bid })}</p>}
        <div class="numbers">
          {bids.map((bid) => {
            const isLegal = turn.legal_bids.includes(bid);
            const isHook = bid === turn.forbidden_bid;
            return (
              <button key={bid} class={`number${isHook ? " forbidden" : ""}`} disabled={!isLegal || isPending} aria-label={isHook ? t("bid_forbidden", { n: bid }) : String(bid)} onClick={() => void game.move({ action: "bid", bid })}>
                {bid}
              </button>
            );
          })}
        </div>
      </div>
    );
  }
  if (turn?.action === "auction_bid") {
    return (
      <div class="actions bids" role="group" aria-label={t("auction_prompt")}>
        <div class="numbers">
          {turn.legal_bids.map((bid) => <button key={bid} class="number" disabled={isPending} onClick={() => void game.move({ action: "auction_bid", bid })}>{bid}</button>)}
          {turn.may_pass && <button class="pass" disabled={isPending} onClick={() => void game.move({ action: "pass" })}>{t("pass")}</button>}
        </div>
      </div>
    );
  }
  if (turn?.action === "choose_trump") {
    return (
      <div class="actions" role="group" aria-label={t("choose_prompt")}>
        {turn.legal_suits.map((suit) => (
          <button key={suit} class="suit-choice" disabled={isPending} onClick={() => void game.move({ action: "choose_trump", suit: suit as Suit })}>
            <SuitSign suit={suit as Suit} size={30} /> {suitName(suit as Suit)}
          </button>
        ))}
      </div>
    );
  }
  return null;
}

const SUITS = ["oros", "copas", "espadas", "bastos"];
const FULL_ROW = 9;

const RANKS = [1, 3, 12, 11, 10, 9, 8, 7, 6, 5, 4, 2];

/** Return cards by suit, trump first, and in a suit by `ranks`, the highest first. */
export function sorted(cards: readonly string[], trump: string | undefined, ranks: readonly number[] = RANKS): Card[] {
  const rank = (card: string) => {
    const [suit, number] = split(card as Card);
    return (suit === trump ? 0 : 100 * (1 + SUITS.indexOf(suit))) + ranks.indexOf(number);
  };
  return [...cards].sort((one, other) => rank(one) - rank(other)) as Card[];
}

function Cards({ board, hand, game, isMine, isPenalised }: { board: Board; hand: HandView; game: Game; isMine: boolean; isPenalised: boolean }): VNode {
  const key = `${board.version}-${isMine}`;
  const [lift, setLift] = useState<{ card: Card; key: string }>();
  const lifted = lift?.key === key ? lift.card : undefined;
  const turn = isMine ? board.turn : undefined;
  const legal = turn?.action === "play" ? turn.legal_cards : undefined;
  if (turn?.action === "blind_pick" || (!hand.my_cards && hand.kind !== "india")) {
    return (
      <ul class="fan" aria-label={t("your_cards")}>
        {range(0, hand.cards - 1).map((position) => (
          <li key={position}>
            <button class={`card${turn?.action === "blind_pick" ? " legal" : ""}`} disabled={turn?.action !== "blind_pick" || game.pending !== undefined} aria-label={t("blind_card", { n: position + 1 })} onClick={() => void game.move({ action: "blind_pick", position })}>
              <CardFace />
            </button>
          </li>
        ))}
      </ul>
    );
  }
  if (!hand.my_cards) {
    const hasPlayed = hand.trick.some(({ seat }) => seat === board.my_seat) || hand.tricks_won.some((won) => won > 0);
    return (
      <div class="fan india">
        {!hasPlayed && <PlacedCard />}
        {!hasPlayed && <p class="muted">{t("india_hint")}</p>}
      </div>
    );
  }
  const cards = sorted(hand.my_cards, hand.trump, game.rules?.deck.rank_order);
  const isNarrow = matchMedia("(max-width: 520px)").matches;
  const half = cards.length > FULL_ROW && isNarrow ? Math.ceil(cards.length / 2) : cards.length;
  const needsTwoTaps = matchMedia("(pointer: coarse)").matches && cards.length > 4;
  const choose = (card: Card) => {
    if (!legal) return;
    const isLegal = legal.includes(card);
    if (lifted !== card && (needsTwoTaps || (isPenalised && !isLegal))) return setLift({ card, key });
    void game.move({ action: "play", card });
  };
  const rows = [cards.slice(0, half), cards.slice(half)].filter((row) => row.length > 0);
  return (
    <div class="hand-cards">
      {isPenalised && lifted && legal && !legal.includes(lifted) && <p class="hook">{t("claim_warn")}</p>}
      {rows.map((row, index) => (
        <ul key={index} class={`fan size-${Math.min(row.length, 12)}`} aria-label={t("your_cards")}>
          {row.map((card, order) => {
            const isLegal = legal?.includes(card) ?? false;
            const isPending = game.pending?.action === "play" && game.pending.card === card;
            const middle = order - (row.length - 1) / 2;
            return (
              <li key={card} style={{ "--turn": `${(middle * Math.min(4, 26 / row.length)).toFixed(2)}deg`, "--drop": `${(middle * middle * (row.length > 6 ? 0.9 : 1.6)).toFixed(1)}px` }}>
                <button
                  class={`card${legal ? (isLegal ? " legal" : " illegal") : ""}${isPending ? " pending" : ""}${lifted === card ? " lifted" : ""}`}
                  aria-disabled={!legal || game.pending !== undefined}
                  aria-label={`${cardName(card)}${legal && !isLegal ? `, ${t("not_legal")}` : ""}`}
                  data-card={card}
                  onClick={() => choose(card)}
                >
                  <CardFace card={card} />
                </button>
              </li>
            );
          })}
        </ul>
      ))}
    </div>
  );
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}
