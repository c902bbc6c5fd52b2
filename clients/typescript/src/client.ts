// The client: one method for each thing that a player does.
import { fold, type Board } from "./fold.js";
import { send, sleep, type Transport } from "./http.js";
import { pollGame, pollGames, type Read } from "./polling.js";
import { NoAnswer, PochaError } from "./problems.js";
import { frames, NoStream, type Following, type Frame } from "./stream.js";
import type { EventSourceClass } from "./eventSource.js";
import type {
  AutoPlayChoice, Card, GameEvent, GameFairness, GameList, GameRecord, GameRuleset, GameSummary, GameView, Glossary, Guest, JoinCode, Joined,
  Leaderboard, Level, Match, Me, MoveResult, MyExport, MyGame, MyGameList, NewGame, NewMatch, OwnTurn, PlayerStats, ReactionChoice, RulesetList,
  RulesetView, ScoreSheet, SeatReaction, SeedCommitment, StreamedCommit, StreamTicket, Suit, TurnList,
} from "./contract.js";

/** Where commands are kept until they are answered, so that they are repeated with the same key, even after a reload. */
export interface Outbox {
  put(command: Command): void;
  remove(key: string): void;
  list(): Command[];
}

export interface Command {
  key: string;
  method: "POST" | "PUT" | "DELETE";
  path: string;
  body?: object;
}

export interface Options {
  /** The address of the service, without `/v1`. */
  url: string;
  token?: string | (() => string | undefined);
  /** The language of `detail` and `title` in problems, such as `es-MX`. */
  language?: string;
  outbox?: Outbox;
  tries?: number;
  fetch?: typeof fetch;
  /** What opens streams where `fetch` cannot read them, as in React Native: an `EventSource`. It gets tickets, never the token. */
  eventSource?: EventSourceClass;
}

/** What `news` yields. */
export interface GameNews {
  /** `turn`, `started`, `ended`, `rematch`, or something newer than this version. */
  event: string;
  game: MyGame;
  /** What `news` takes to go on after this; undefined where streams do not come through. */
  after: string | undefined;
}

/** What `follow` yields: the board, and the events that led to it, none after a snapshot. */
export interface Step {
  board: Board;
  /** The board before the events. */
  before: Board | undefined;
  events: GameEvent[];
  /** The board is not the previous one with `events` applied: draw it anew. */
  isSnapshot: boolean;
}

/** The table to create; robots may be given by their level alone. */
export type NewTable = Omit<NewGame, "robots" | "house_rules"> & { robots?: (Level | { level: Level })[]; house_rules?: object };
/** Whom to wait for; `robots` is the level of those who take the seats that are left. */
export type Wanted = Omit<NewMatch, "robots" | "house_rules"> & { robots?: Level; house_rules?: object };

/** A move of the seat on turn: what `Turn` methods make. */
export type Move =
  | { action: "bid" | "auction_bid"; bid: number }
  | { action: "pass" }
  | { action: "play"; card: Card }
  | { action: "choose_trump"; suit: Suit }
  | { action: "blind_pick"; position: number };

interface Doing {
  game_id: string;
  version: number;
  /** Let a robot make this move, whatever it is. */
  letRobotPlay(level?: Level): Promise<MoveResult>;
}
type BidTurn = Extract<OwnTurn, { action: "bid" }> & Doing & { bid(bid: number): Promise<MoveResult> };
type PlayTurn = Extract<OwnTurn, { action: "play" }> & Doing & { play(card: Card): Promise<MoveResult> };
type AuctionTurn = Extract<OwnTurn, { action: "auction_bid" }> & Doing & { bid(bid: number): Promise<MoveResult>; pass(): Promise<MoveResult> };
type TrumpTurn = Extract<OwnTurn, { action: "choose_trump" }> & Doing & { choose(suit: Suit): Promise<MoveResult> };
type BlindTurn = Extract<OwnTurn, { action: "blind_pick" }> & Doing & { pick(position: number): Promise<MoveResult> };
type LaterTurn = Extract<OwnTurn, { action: "unknown" }> & Doing;
/** A turn of the caller: `action` tells which it is, and so what it offers. `"unknown"` stands for the actions of later versions. */
export type Turn = BidTurn | PlayTurn | AuctionTurn | TrumpTurn | BlindTurn | LaterTurn;

const WAIT_SECONDS = 25;
/** The pause before asking again where no turn was taken: they are in each answer. */
const UNTAKEN_SECONDS = 0.5;

/** A caller of the service: a player with a token, or nobody yet. */
export class Pocha {
  /** The language of problems; may be changed at any time. */
  language: string | undefined;
  readonly #outbox: Outbox | undefined;
  /** The keys of the commands that wait for an answer now. */
  readonly #sending = new Set<string>();
  readonly #transport: Transport;
  #token: string | undefined;

  constructor(options: Options) {
    const given = options.token;
    this.language = options.language;
    this.#outbox = options.outbox;
    if (typeof given !== "function") this.#token = given;
    this.#transport = {
      url: options.url.replace(/\/$/, ""),
      fetch: options.fetch ?? ((...call) => globalThis.fetch(...call)),
      tries: options.tries ?? 5,
      eventSource: options.eventSource,
      token: () => (typeof given === "function" ? given() : this.#token),
      language: () => this.language,
    };
  }

  /** Become a guest. Keep `guest.token`: it is the player. */
  static async guest(name: string, options: Options): Promise<Pocha & { guest: Guest }> {
    const nobody = new Pocha(options);
    const guest = await nobody.becomeGuest(name);
    nobody.#token = guest.token;
    return Object.assign(nobody, { guest });
  }

  becomeGuest(name: string): Promise<Guest> {
    return this.#json("/v1/players", { method: "POST", body: { display_name: name } });
  }

  /** Get a new token for the same player, before the old one expires. */
  renewToken(): Promise<Guest> {
    return this.#json("/v1/me/token", { method: "POST" });
  }

  me(): Promise<Me> {
    return this.#json("/v1/me");
  }

  /** Change the name that tables show from now on. */
  rename(name: string): Promise<Me> {
    return this.#json("/v1/me", { method: "PATCH", body: { display_name: name } });
  }

  /** Delete the caller: the name is erased, and the token void. There is no way back. */
  async deleteMe(): Promise<void> {
    await send(this.#transport, "/v1/me", { method: "DELETE" });
  }

  /** Return everything that is kept about the caller. */
  exportMe(): Promise<MyExport> {
    return this.#json("/v1/me/export");
  }

  stats(playerId: string): Promise<PlayerStats> {
    return this.#json(`/v1/players/${playerId}/stats`);
  }

  /** Yield the players of a ruleset by their ratings, the best first. */
  leaderboard(rulesetId: string): AsyncGenerator<Leaderboard["items"][number]> {
    return this.#pages<Leaderboard["items"][number]>(`/v1/leaderboards/${rulesetId}`, {});
  }

  rulesets(): Promise<RulesetList> {
    return this.#json("/v1/rulesets");
  }

  ruleset(id: string): Promise<RulesetView> {
    return this.#json(`/v1/rulesets/${id}`);
  }

  validateRuleset(ruleset: string, houseRules: object): Promise<RulesetView> {
    return this.#json("/v1/rulesets/validate", { method: "POST", body: { ruleset, house_rules: houseRules } });
  }

  glossary(): Promise<Glossary> {
    return this.#json("/v1/glossary");
  }

  /** Yield the tables of the lobby, the newest first. */
  games(filter: { status?: string; ruleset?: string; limit?: number } = {}): AsyncGenerator<GameSummary> {
    return this.#pages<GameSummary>("/v1/games", filter);
  }

  /** Yield the caller's games, the newest first. */
  myGames(filter: { status?: string; limit?: number } = {}): AsyncGenerator<MyGame> {
    return this.#pages<MyGame>("/v1/me/games", filter);
  }

  async gamesPage(filter: { status?: string; limit?: number } = {}): Promise<GameList> {
    return this.#json(`/v1/games${query(filter)}`);
  }

  /** Fix the server seed and the id of a table that `createGame` is to make with this `commitment`, before giving a `client_seed`. */
  commit(): Promise<SeedCommitment> {
    return this.command({ method: "POST", path: "/v1/commitments" });
  }

  createGame(table: NewTable): Promise<GameView> {
    const robots = table.robots?.map((robot) => (typeof robot === "string" ? { level: robot } : robot));
    return this.command({ method: "POST", path: "/v1/games", body: { ...table, ...(robots ? { robots } : {}) } });
  }

  game(id: string, signal?: AbortSignal): Promise<GameView> {
    return this.#json(`/v1/games/${id}`, { signal });
  }

  join(id: string, options: { invite_code?: string; seat?: number; client_seed?: string } = {}): Promise<GameView> {
    return this.command({ method: "POST", path: `/v1/games/${id}/seats`, body: options });
  }

  /** Return the code of six letters and digits by which others sit down, for a day. */
  joinCode(id: string): Promise<JoinCode> {
    return this.#json(`/v1/games/${id}/join-code`, { method: "POST" });
  }

  /** Join the table, or the score sheet, that a code leads to. */
  joinByCode(code: string, options: { client_seed?: string } = {}): Promise<Joined> {
    return this.#json("/v1/joins", { method: "POST", body: { code, ...options } });
  }

  /** Wait for others who want the same game; `match` tells when there is one. */
  requestMatch(wanted: Wanted): Promise<Match> {
    const { robots, ...rest } = wanted;
    return this.command({ method: "POST", path: "/v1/matches", body: { ...rest, ...(robots ? { robots: { level: robots } } : {}) } });
  }

  /** Return a request for a match, once it waits no more or after `wait` seconds. */
  match(id: string, options: { wait?: number; signal?: AbortSignal } = {}): Promise<Match> {
    const { wait = 0, signal } = options;
    return this.#json(`/v1/matches/${id}${query({ wait })}`, { signal, patience: wait + 10 });
  }

  cancelMatch(id: string): Promise<Match> {
    return this.#json(`/v1/matches/${id}`, { method: "DELETE" });
  }

  /** Leave a seat; as the host, clear a seat before the start. */
  leave(id: string, seat: number): Promise<GameView> {
    return this.command({ method: "DELETE", path: `/v1/games/${id}/seats/${seat}` });
  }

  seatRobot(id: string, seat: number, level: Level): Promise<GameView> {
    return this.command({ method: "PUT", path: `/v1/games/${id}/seats/${seat}/robot`, body: { level } });
  }

  /** Close the caller's table before the start. */
  close(id: string): Promise<GameView> {
    return this.command({ method: "DELETE", path: `/v1/games/${id}` });
  }

  /** Let the service make the moves of the caller's seat where there is no choice, or not. */
  autoPlay(id: string, seat: number, choice: AutoPlayChoice): Promise<GameView> {
    return this.command({ method: "PUT", path: `/v1/games/${id}/seats/${seat}/auto-play`, body: { auto_play: choice } });
  }

  /** Say something to the others at the table. It is not kept in the outbox: late, it would be out of place. */
  react(id: string, reaction: ReactionChoice): Promise<SeatReaction> {
    return this.#json(`/v1/games/${id}/reactions`, { method: "POST", body: { reaction }, headers: { "Idempotency-Key": newKey() } });
  }

  rematch(id: string): Promise<GameView> {
    return this.command({ method: "POST", path: `/v1/games/${id}/rematch`, body: {} });
  }

  /** Make a move at `version` of the game. */
  move(id: string, version: number, move: Move): Promise<MoveResult> {
    const [place, choice] = requestOf(move);
    return this.command({ method: "POST", path: `/v1/games/${id}/${place}`, body: { ...choice, expected_version: version } });
  }

  /** Let a robot make the caller's move at `version`, whatever it is. */
  letRobotPlay(id: string, version: number, level: Level = "normal"): Promise<MoveResult> {
    return this.command({ method: "POST", path: `/v1/games/${id}/robot-moves`, body: { level, expected_version: version } });
  }

  claimRenuncio(id: string, seat: number, trick: number): Promise<MoveResult> {
    return this.command({ method: "POST", path: `/v1/games/${id}/renuncio-claims`, body: { seat, trick } });
  }

  scoreSheet(id: string): Promise<ScoreSheet> {
    return this.#json(`/v1/games/${id}/score-sheet`);
  }

  gameRuleset(id: string): Promise<GameRuleset> {
    return this.#json(`/v1/games/${id}/ruleset`);
  }

  fairness(id: string): Promise<GameFairness> {
    return this.#json(`/v1/games/${id}/fairness`);
  }

  record(id: string): Promise<GameRecord> {
    return this.#json(`/v1/games/${id}/record`);
  }

  /** Return a ticket for the stream of a game, or of all of the caller's games; `follow` and `news` get theirs themselves. */
  streamTicket(gameId?: string): Promise<StreamTicket> {
    return this.#json("/v1/stream-tickets", { method: "POST", body: gameId === undefined ? {} : { game_id: gameId } });
  }

  /** Send a command with a key of its own, kept in the outbox until it is answered. */
  async command<T>(command: Omit<Command, "key"> & { key?: string }): Promise<T> {
    const kept: Command = { key: newKey(), ...command };
    this.#outbox?.put(kept);
    this.#sending.add(kept.key);
    try {
      const answer = await this.#json<T>(kept.path, {
        method: kept.method,
        headers: { "Idempotency-Key": kept.key },
        ...(kept.body ? { body: kept.body } : {}),
      });
      this.#outbox?.remove(kept.key);
      return answer;
    } catch (error) {
      if (error instanceof PochaError && error.status < 500 && error.status !== 429) this.#outbox?.remove(kept.key);
      throw error;
    } finally {
      this.#sending.delete(kept.key);
    }
  }

  /** Send again what was not answered, with the same keys: nothing happens twice. Refusals are no news: the game went on. */
  async flush(): Promise<void> {
    for (const command of this.#outbox?.list() ?? []) {
      if (this.#sending.has(command.key)) continue;
      try {
        await this.command(command);
      } catch (error) {
        if (error instanceof NoAnswer) return;
      }
    }
  }

  /** Yield the caller's turns, each once, as they come. With `games`, those of these alone, until all of them are over. */
  async *turns(options: { games?: string[]; signal?: AbortSignal } = {}): AsyncGenerator<Turn> {
    const { signal } = options;
    const left = options.games && new Set(options.games);
    let seen = new Map<string, number>();
    let after: string | undefined;
    await this.#dropOver(left, signal);
    while (!signal?.aborted && left?.size !== 0) {
      const path = `/v1/me/turns${query({ wait: WAIT_SECONDS, after })}`;
      const { items, ended, next_after } = await this.#json<TurnList>(path, { signal, patience: WAIT_SECONDS + 10 });
      const fresh = items.filter(({ game_id, version }) => seen.get(game_id) !== version);
      for (const { game_id, version, turn } of fresh) if (!left || left.has(game_id)) yield this.#turn(game_id, version, turn);
      seen = new Map(items.map(({ game_id, version }) => [game_id, version]));
      for (const { game_id } of ended) left?.delete(game_id);
      if (after === undefined) await this.#dropOver(left, signal); // what ended before the first answer is in no other
      after = next_after;
      if (items.length > 0 && fresh.length === 0) await sleep(UNTAKEN_SECONDS, signal);
    }
  }

  /** Take the games that are over out of a set. */
  async #dropOver(games: Set<string> | undefined, signal: AbortSignal | undefined): Promise<void> {
    for (const id of games ?? []) {
      const { status } = await this.game(id, signal);
      if (status === "finished" || status === "abandoned") games?.delete(id);
    }
  }

  /** Yield the board of a game whenever it changes, until the game is over. Where streams do not come through, it is read by long polling. */
  async *follow(id: string, options: Following & { from?: Board } = {}): AsyncGenerator<Step> {
    const { mute, onReaction } = options;
    let board = options.from;
    const after = board ? String(board.version) : undefined;
    const path = `/v1/games/${id}/stream${query({ mute: mute && String(mute) })}`;
    try {
      for await (const frame of frames(this.#transport, path, isEnd, { after, ...options })) {
        const before = board;
        if (frame.event === "snapshot") {
          board = JSON.parse(frame.data) as Board;
          yield { board, before, events: [], isSnapshot: true };
        } else if (frame.event === "commit" && board) {
          const commit = JSON.parse(frame.data) as StreamedCommit;
          if (commit.version <= board.version) continue;
          board = applied(board, commit);
          yield { board, before, events: commit.events, isSnapshot: false };
        } else if (frame.event === "reaction") {
          onReaction?.(JSON.parse(frame.data) as SeatReaction);
        }
      }
    } catch (error) {
      if (!(error instanceof NoStream)) throw error;
      yield* pollGame(this.#read, id, board, options);
    }
  }

  /** Yield what happens in all of the caller's games, without end: first the turns that wait, unless `after` is where another stream was. */
  async *news(options: Following = {}): AsyncGenerator<GameNews> {
    try {
      for await (const { id, event, data } of frames(this.#transport, "/v1/me/stream", () => false, options)) {
        if (event !== "games") yield { event, game: JSON.parse(data) as MyGame, after: id };
        else {
          const { items } = JSON.parse(data) as MyGameList;
          for (const game of items) if (game.turn && game.turn.action !== "wait") yield { event: "turn", game, after: id };
        }
      }
    } catch (error) {
      if (!(error instanceof NoStream)) throw error;
      yield* pollGames(this.#read, options);
    }
  }

  /** Return the turn with what it offers. */
  #turn(game_id: string, version: number, turn: OwnTurn): Turn {
    const move = (made: Move) => this.move(game_id, version, made);
    const doing = { game_id, version, letRobotPlay: (level?: Level) => this.letRobotPlay(game_id, version, level) };
    switch (turn.action) {
      case "bid":
        return { ...turn, ...doing, bid: (bid) => move({ action: "bid", bid }) };
      case "play":
        return { ...turn, ...doing, play: (card) => move({ action: "play", card }) };
      case "auction_bid":
        return { ...turn, ...doing, bid: (bid) => move({ action: "auction_bid", bid }), pass: () => move({ action: "pass" }) };
      case "choose_trump":
        return { ...turn, ...doing, choose: (suit) => move({ action: "choose_trump", suit }) };
      case "blind_pick":
        return { ...turn, ...doing, pick: (position) => move({ action: "blind_pick", position }) };
      default:
        return { ...turn, ...doing };
    }
  }

  readonly #read: Read = (path, request) => this.#json(path, request);

  /** Yield the items of all pages. */
  async *#pages<Item>(path: string, filter: Record<string, string | number | undefined>): AsyncGenerator<Item> {
    for (let cursor: string | undefined; ; ) {
      const page: { items: Item[]; next_cursor?: string } = await this.#json(`${path}${query({ ...filter, cursor })}`);
      yield* page.items;
      if (!(cursor = page.next_cursor)) return;
    }
  }

  async #json<T>(path: string, request: Parameters<typeof send>[2] = {}): Promise<T> {
    return (await (await send(this.#transport, path, request)).json()) as T;
  }
}

/** Return the board after a commit of its stream. */
export function applied(board: Board, commit: StreamedCommit): Board {
  const { turn: _, ...after } = commit.events.reduce(fold, board);
  return { ...after, version: commit.version, status: commit.status, server_time: commit.server_time, ...(commit.turn ? { turn: commit.turn } : {}) };
}

/** Return a key for a command: as good as unique. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function requestOf(move: Move): [string, object] {
  switch (move.action) {
    case "bid":
      return ["bids", { bid: move.bid }];
    case "auction_bid":
      return ["auction-bids", { bid: move.bid }];
    case "pass":
      return ["auction-passes", {}];
    case "play":
      return ["plays", { card: move.card }];
    case "choose_trump":
      return ["trump", { suit: move.suit }];
    case "blind_pick":
      return ["blind-pick", { position: move.position }];
  }
}

function isEnd(frame: Frame): boolean {
  return frame.event === "game_over";
}

function query(values: Record<string, string | number | undefined>): string {
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  return given.length ? `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}` : "";
}
