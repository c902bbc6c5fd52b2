// Shows a game at a human pace. The service answers with everything up to the player's next turn at once; the director plays these events
// one after the other, and shows whose turn it is when they are over.
import { fold, type Board, type GameEvent, type SeatReaction, type Step } from "../../typescript/src/index.js";
import { cardName, kindName, seatName, suitName, t } from "./i18n.js";
import { play, type Sound } from "./sounds.js";
import { muted, settings } from "./storage.js";
import { wordsOf } from "./talk.js";

export type Scored = Extract<GameEvent, { type: "hand_scored" }>;
type Trick = { winner: number; plays: { seat: number; card: string }[] };

/** What is to be seen beside the board. */
export interface Scene {
  board: Board | undefined;
  /** The seat that is about to act in what is shown. */
  acting: number | undefined;
  /** What a seat says just now. */
  bubble: { seat: number; text: string } | undefined;
  /** What players say to each other just now, by seat. */
  said: Readonly<Record<number, string | undefined>>;
  /** What happens beside the play, such as a claim. */
  notice: string | undefined;
  /** The complete trick; `isSwept` while its winner takes it. */
  taken: (Trick & { isSwept: boolean }) | undefined;
  /** The hand that was just scored, until the player goes on. */
  scored: Scored | undefined;
  /** Events are still to be shown: the turn on the board is not yet to be acted on. */
  isBusy: boolean;
}

/** The pauses in milliseconds, made for people. */
const PACE = { think: 380, bid: 520, card: 420, look: 950, sweep: 420, deal: 750, notice: 6_000, said: 5_000, scored: 12_000, scoredWithClock: 5_000 };
/** So many events behind, the rest is not shown one by one. */
const TOO_MANY = 90;

type Item = { event: GameEvent } | { board: Board };

export class Director {
  scene: Scene = { board: undefined, acting: undefined, bubble: undefined, said: {}, notice: undefined, taken: undefined, scored: undefined, isBusy: false };
  /** The newest lines for screen readers, with a number that makes each one new. */
  log: { id: number; text: string }[] = [];
  #queue: Item[] = [];
  #lines = 0;
  #skip: (() => void) | undefined;
  #isRunning = false;
  #noticeTimer: ReturnType<typeof setTimeout> | undefined;
  #heard: string | undefined;
  readonly #saidTimers = new Map<number, ReturnType<typeof setTimeout>>();
  #isOver = false;

  constructor(private readonly onChange: () => void) {}

  /** Take what the stream says. */
  take(step: Step): void {
    if (step.isSnapshot || !this.scene.board) {
      const isNews = this.scene.board !== undefined && step.board.version > (this.#newest()?.version ?? 0);
      this.#queue = [];
      this.#show({ board: step.board, bubble: undefined, taken: undefined, acting: undefined });
      this.#skip?.();
      if (isNews || step.before === undefined) this.#sayTurn(step.board);
      return;
    }
    this.#queue.push(...step.events.map((event) => ({ event })), { board: step.board });
    if (!this.#isRunning) void this.#run();
  }

  /** Show what a player says, once, whatever goes on meanwhile; not of those who are muted. */
  hear({ reaction_id, seat, player_id, reaction }: SeatReaction): void {
    const text = wordsOf(reaction);
    const board = this.scene.board;
    if (!text || !board || reaction_id === this.#heard || muted.has(player_id)) return;
    this.#heard = reaction_id;
    this.#say(t("says_reaction", { name: seatName(board, seat), text }));
    this.#show({ said: { ...this.scene.said, [seat]: text } });
    clearTimeout(this.#saidTimers.get(seat));
    const silence = () => this.#isOver || this.#show({ said: { ...this.scene.said, [seat]: undefined } });
    this.#saidTimers.set(seat, setTimeout(silence, PACE.said));
  }

  /** Go on at once from what is waited for. */
  skip(): void {
    this.#skip?.();
  }

  stop(): void {
    this.#isOver = true;
    this.#queue = [];
    this.#skip?.();
  }

  #newest(): Board | undefined {
    const last = this.#queue.at(-1);
    return last && "board" in last ? last.board : this.scene.board;
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    this.#show({ isBusy: true });
    for (let item = this.#queue.shift(); item && !this.#isOver; item = this.#queue.shift()) {
      if ("board" in item) {
        this.#show({ board: item.board, acting: undefined, bubble: undefined });
        this.#sayTurn(item.board);
      } else if (this.scene.board) {
        await this.#play(item.event, this.scene.board);
      }
    }
    this.#isRunning = false;
    if (!this.#isOver) this.#show({ isBusy: false });
  }

  /** Show one event, and wait as long as people need to see it. */
  async #play(event: GameEvent, board: Board): Promise<void> {
    const after = withoutTurn(fold(board, event));
    const isMine = "seat" in event && event.seat === board.my_seat;
    this.#say(describe(board, event));
    switch (event.type) {
      case "bid_made":
        await this.#act(event.seat, isMine);
        await this.#speak(after, event.seat, String(event.bid), "bid");
        break;
      case "auction_bid_made":
        await this.#act(event.seat, isMine);
        await this.#speak(after, event.seat, String(event.bid), "bid");
        break;
      case "auction_passed":
        await this.#act(event.seat, isMine);
        await this.#speak(after, event.seat, t("passed"), "bid");
        break;
      case "trump_chosen":
        await this.#act(event.seat, isMine);
        await this.#speak(after, event.seat, suitName(event.suit), "bid", PACE.look);
        break;
      case "blind_pick_made":
        await this.#act(event.seat, isMine);
        await this.#speak(after, event.seat, cardName(event.card), "bid", PACE.look);
        break;
      case "card_played":
        await this.#act(event.seat, isMine);
        this.#show({ board: after, bubble: undefined });
        this.#sound("card");
        await this.#wait(PACE.card);
        break;
      case "trick_taken": {
        const plays = board.hand?.trick ?? [];
        this.#show({ taken: { winner: event.seat, plays, isSwept: false }, acting: undefined });
        await this.#wait(PACE.look);
        this.#show({ taken: { winner: event.seat, plays, isSwept: true } });
        this.#sound(isMine ? "won" : "trick");
        await this.#wait(PACE.sweep);
        this.#show({ board: after, taken: undefined });
        break;
      }
      case "hand_dealt":
        this.#show({ board: after, acting: undefined, bubble: undefined, notice: undefined });
        if (breaksTie(board, event)) this.#notice(t("tie_notice", { names: leaders(board) }));
        this.#sound("deal");
        await this.#wait(PACE.deal);
        break;
      case "hand_scored":
        this.#show({ board: after, scored: event, acting: undefined });
        await this.#wait(board.turn_seconds ? PACE.scoredWithClock : PACE.scored, true);
        this.#show({ scored: undefined });
        break;
      case "game_over":
        this.#show({ board: after });
        this.#sound(event.result.winners.includes(board.my_seat ?? -1) ? "victory" : "trick");
        break;
      case "auction_won":
      case "renuncio_claimed":
      case "seat_left":
      case "seat_taken":
      case "turn_expired":
        this.#show({ board: after });
        this.#notice(describe(board, event));
        await this.#wait(PACE.look);
        break;
      default:
        this.#show({ board: after });
    }
  }

  /** Show a notice for a while, whatever goes on meanwhile. */
  #notice(notice: string | undefined): void {
    clearTimeout(this.#noticeTimer);
    this.#show({ notice });
    this.#noticeTimer = setTimeout(() => this.#isOver || this.#show({ notice: undefined }), PACE.notice);
  }

  async #act(seat: number, isMine: boolean): Promise<void> {
    if (isMine) return;
    this.#show({ acting: seat });
    await this.#wait(PACE.think);
  }

  async #speak(board: Board, seat: number, text: string, sound: Sound, pause = PACE.bid): Promise<void> {
    this.#show({ board, bubble: { seat, text } });
    this.#sound(sound);
    await this.#wait(pause);
  }

  /** Wait, unless nobody sees it or there is too much to show. What is read (`isRead`) waits all the same while somebody looks. */
  #wait(milliseconds: number, isRead = false): Promise<void> {
    const pause = isRead ? milliseconds : milliseconds * (settings.get("pace") ?? 1);
    if (pause === 0 || document.hidden || this.#isOver || (this.#queue.length > TOO_MANY && !isRead)) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#skip?.(), pause);
      this.#skip = () => {
        clearTimeout(timer);
        this.#skip = undefined;
        resolve();
      };
    });
  }

  #sound(sound: Sound): void {
    if (!document.hidden && this.#queue.length <= TOO_MANY) play(sound);
  }

  #show(changes: Partial<Scene>): void {
    this.scene = { ...this.scene, ...changes };
    this.onChange();
  }

  #sayTurn(board: Board): void {
    const turn = board.turn;
    if (!turn || turn.action === "wait" || board.my_seat === undefined) return;
    this.#say(prompt(board));
    this.#sound("turn");
  }

  #say(text: string | undefined): void {
    if (text) this.log = [...this.log.slice(-7), { id: ++this.#lines, text }];
  }
}

function withoutTurn(board: Board): Board {
  const { turn: _, ...rest } = board;
  return rest;
}

/** Return what the player on turn has to do. */
export function prompt(board: Board): string {
  switch (board.turn?.action) {
    case "bid":
      return t("bid_prompt");
    case "play":
      return t("play_prompt");
    case "auction_bid":
      return t("auction_prompt");
    case "choose_trump":
      return t("choose_prompt");
    case "blind_pick":
      return t("blind_prompt");
    case "wait":
      return t(board.turn.awaits === "bid" ? "wait_bid" : "wait_for", { name: seatName(board, board.turn.seat) });
    default:
      return "";
  }
}

/** Return the names of those who lead, as text. */
export function leaders(board: Board): string {
  const first = board.scores.filter(({ rank }) => rank === 1);
  return first.map(({ seat }) => (seat === board.my_seat ? t("you") : seatName(board, seat))).join(", ");
}

/** Tell whether a hand comes after the scheduled ones, because of a tie for the win. */
function breaksTie(board: Board, { number }: { number: number }): boolean {
  return number > (board.hand?.of ?? board.hands ?? number);
}

/** Return the trump of a hand in words. */
export function trumpText(hand: { kind: string; trump?: string }): string {
  if (hand.trump) return t("trump_is", { suit: suitName(hand.trump as Parameters<typeof suitName>[0]) });
  return t(hand.kind === "ciega" ? "no_trump" : "trump_open");
}

/** Return an event in words, for those who do not see it. */
function describe(board: Board, event: GameEvent): string | undefined {
  const name = "seat" in event ? seatName(board, event.seat) : "";
  switch (event.type) {
    case "seat_taken":
      return t("says_sat", { name: event.player.display_name });
    case "seat_left":
      return t("says_left", { name });
    case "turn_expired":
      return t("says_expired", { name });
    case "game_started":
      return t("says_started");
    case "hand_dealt": {
      const kind = event.kind === "normal" ? "" : `${kindName(event.kind)}, `;
      const tie = breaksTie(board, event) ? `${t("tie_notice", { names: leaders(board) })} ` : "";
      return tie + t("says_dealt", { cards: kind + cardsText(event.cards), trump: trumpText(event) });
    }
    case "bid_made":
      return t("says_bid", { name, n: event.bid });
    case "auction_bid_made":
      return t("says_auction", { name, n: event.bid });
    case "auction_passed":
      return `${name} ${t("passed")}`;
    case "auction_won":
      return t("says_won_auction", { name, n: event.bid });
    case "trump_chosen":
      return t("says_trump", { name, suit: suitName(event.suit) });
    case "blind_pick_made":
      return t("says_blind", { name, card: cardName(event.card) });
    case "card_played":
      return t("says_card", { name, card: cardName(event.card) });
    case "trick_taken":
      return t("says_trick", { name });
    case "hand_scored":
      return event.scores
        .map(({ seat, points, total }) => `${seatName(board, seat)}: ${points}, ${t("total")} ${total}`)
        .join(". ");
    case "renuncio_claimed":
      return t(event.proven ? "says_claim_right" : "says_claim_wrong", {
        claimant: seatName(board, event.claimant),
        name,
        card: cardName(event.card),
        n: event.penalty,
      });
    case "game_over":
      return `${t("game_over")}. ${t("wins", { name: event.result.winners.map((seat) => seatName(board, seat)).join(", ") })}`;
    case "game_abandoned":
      return t("abandoned");
    default:
      return undefined;
  }
}

export const cardsText = (cards: number) => (cards === 1 ? t("one_card") : t("cards_each", { n: cards }));
