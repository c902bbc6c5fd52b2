import { fold } from "../../typescript/src/index.js";
import { cardName, kindName, seatName, suitName, t } from "./i18n.js";
import { play } from "./sounds.js";
import { muted, settings } from "./storage.js";
import { wordsOf } from "./talk.js";
const PACE = { think: 380, bid: 520, card: 420, look: 950, sweep: 420, deal: 750, notice: 6_000, said: 5_000, scored: 12_000, scoredWithClock: 5_000 };
const TOO_MANY = 90;
export class Director {
    onChange;
    scene = { board: undefined, acting: undefined, bubble: undefined, said: {}, notice: undefined, taken: undefined, scored: undefined, isBusy: false };
    log = [];
    #queue = [];
    #lines = 0;
    #skip;
    #isRunning = false;
    #noticeTimer;
    #heard;
    #saidTimers = new Map();
    #isOver = false;
    constructor(onChange) {
        this.onChange = onChange;
    }
    take(step) {
        if (step.isSnapshot || !this.scene.board) {
            const isNews = this.scene.board !== undefined && step.board.version > (this.#newest()?.version ?? 0);
            this.#queue = [];
            this.#show({ board: step.board, bubble: undefined, taken: undefined, acting: undefined });
            this.#skip?.();
            if (isNews || step.before === undefined)
                this.#sayTurn(step.board);
            return;
        }
        this.#queue.push(...step.events.map((event) => ({ event })), { board: step.board });
        if (!this.#isRunning)
            void this.#run();
    }
    hear({ reaction_id, seat, player_id, reaction }) {
        const text = wordsOf(reaction);
        const board = this.scene.board;
        if (!text || !board || reaction_id === this.#heard || muted.has(player_id))
            return;
        this.#heard = reaction_id;
        this.#say(t("says_reaction", { name: seatName(board, seat), text }));
        this.#show({ said: { ...this.scene.said, [seat]: text } });
        clearTimeout(this.#saidTimers.get(seat));
        const silence = () => this.#isOver || this.#show({ said: { ...this.scene.said, [seat]: undefined } });
        this.#saidTimers.set(seat, setTimeout(silence, PACE.said));
    }
    skip() {
        this.#skip?.();
    }
    stop() {
        this.#isOver = true;
        this.#queue = [];
        this.#skip?.();
    }
    #newest() {
        const last = this.#queue.at(-1);
        return last && "board" in last ? last.board : this.scene.board;
    }
    async #run() {
        this.#isRunning = true;
        this.#show({ isBusy: true });
        for (let item = this.#queue.shift(); item && !this.#isOver; item = this.#queue.shift()) {
            if ("board" in item) {
                this.#show({ board: item.board, acting: undefined, bubble: undefined });
                this.#sayTurn(item.board);
            }
            else if (this.scene.board) {
                await this.#play(item.event, this.scene.board);
            }
        }
        this.#isRunning = false;
        if (!this.#isOver)
            this.#show({ isBusy: false });
    }
    async #play(event, board) {
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
                if (breaksTie(board, event))
                    this.#notice(t("tie_notice", { names: leaders(board) }));
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
    #notice(notice) {
        clearTimeout(this.#noticeTimer);
        this.#show({ notice });
        this.#noticeTimer = setTimeout(() => this.#isOver || this.#show({ notice: undefined }), PACE.notice);
    }
    async #act(seat, isMine) {
        if (isMine)
            return;
        this.#show({ acting: seat });
        await this.#wait(PACE.think);
    }
    async #speak(board, seat, text, sound, pause = PACE.bid) {
        this.#show({ board, bubble: { seat, text } });
        this.#sound(sound);
        await this.#wait(pause);
    }
    #wait(milliseconds, isRead = false) {
        const pause = isRead ? milliseconds : milliseconds * (settings.get("pace") ?? 1);
        if (pause === 0 || document.hidden || this.#isOver || (this.#queue.length > TOO_MANY && !isRead))
            return Promise.resolve();
        return new Promise((resolve) => {
            const timer = setTimeout(() => this.#skip?.(), pause);
            this.#skip = () => {
                clearTimeout(timer);
                this.#skip = undefined;
                resolve();
            };
        });
    }
    #sound(sound) {
        if (!document.hidden && this.#queue.length <= TOO_MANY)
            play(sound);
    }
    #show(changes) {
        this.scene = { ...this.scene, ...changes };
        this.onChange();
    }
    #sayTurn(board) {
        const turn = board.turn;
        if (!turn || turn.action === "wait" || board.my_seat === undefined)
            return;
        this.#say(prompt(board));
        this.#sound("turn");
    }
    #say(text) {
        if (text)
            this.log = [...this.log.slice(-7), { id: ++this.#lines, text }];
    }
}
function withoutTurn(board) {
    const { turn: _, ...rest } = board;
    return rest;
}
export function prompt(board) {
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
export function leaders(board) {
    const first = board.scores.filter(({ rank }) => rank === 1);
    return first.map(({ seat }) => (seat === board.my_seat ? t("you") : seatName(board, seat))).join(", ");
}
function breaksTie(board, { number }) {
    return number > (board.hand?.of ?? board.hands ?? number);
}
export function trumpText(hand) {
    if (hand.trump)
        return t("trump_is", { suit: suitName(hand.trump) });
    return t(hand.kind === "ciega" ? "no_trump" : "trump_open");
}
function describe(board, event) {
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
export const cardsText = (cards) => (cards === 1 ? t("one_card") : t("cards_each", { n: cards }));
