// The same news as the streams, by reads: where streams do not come through.
import type { EventPage, GameEvent, GameView, MyGame, MyGameList } from "./contract.js";
import type { Board } from "./fold.js";
import { sleep } from "./http.js";
import { NoAnswer, PochaError } from "./problems.js";
import type { GameNews, Step } from "./client.js";
import type { Following } from "./stream.js";

/** Reads a path; waits `patience` seconds for the answer. */
export type Read = <T>(path: string, request?: { signal?: AbortSignal | undefined; patience?: number }) => Promise<T>;

const WAIT_SECONDS = 25;
/** A list of one's own games is no long poll. */
const LIST_SECONDS = 3;
const PAUSE_SECONDS = 3;
const OVER = ["finished", "abandoned"];

/** Yield the board whenever it changes, until the game is over: `Pocha.follow` by long polling. */
export async function* pollGame(read: Read, id: string, from: Board | undefined, following: Following): AsyncGenerator<Step> {
  const { signal } = following;
  let board = from;
  while (!signal?.aborted && !(board && OVER.includes(board.status))) {
    const before: Board | undefined = board;
    const wait = before ? `?after_version=${before.version}&wait=${WAIT_SECONDS}` : "";
    const view = await answered(following, () => read<GameView>(`/v1/games/${id}${wait}`, { signal, patience: WAIT_SECONDS + 10 }));
    if (!view || view.version === before?.version) continue;
    const events = before && (await answered(following, () => eventsOf(read, id, before.version, view.version, signal)));
    board = view;
    yield { board, before, events: events ?? [], isSnapshot: !events };
  }
}

/** Return the events after one version of a game, until another. */
async function eventsOf(read: Read, id: string, after: number, until: number, signal: AbortSignal | undefined): Promise<GameEvent[]> {
  const events: EventPage["items"] = [];
  for (let next = after; next < until; ) {
    const page = await read<EventPage>(`/v1/games/${id}/events?after=${next}`, { signal });
    events.push(...page.items.filter(({ version }) => version <= until));
    next = page.next_after;
  }
  return events;
}

/** Yield what happens in all of the caller's games, without end: `Pocha.news` by their list, which does not tell of rematches. */
export async function* pollGames(read: Read, following: Following): AsyncGenerator<GameNews> {
  const { signal } = following;
  let known: Map<string, MyGame> | undefined;
  while (!signal?.aborted) {
    const list = await answered(following, () => read<MyGameList>("/v1/me/games?limit=50", { signal }));
    for (const game of list?.items ?? []) {
      for (const event of newsOf(known?.get(game.game_id), game, !known)) yield { event, game, after: undefined };
    }
    if (list) known = new Map(list.items.map((game) => [game.game_id, game]));
    await sleep(LIST_SECONDS, signal).catch(() => undefined);
  }
}

/** Return what has happened in a game between two lists; in the first list, only turns count. */
export function newsOf(before: MyGame | undefined, game: MyGame, isFirst: boolean): string[] {
  const isOver = OVER.includes(game.status);
  const news: string[] = [];
  if (!isFirst && game.status === "playing" && before?.status !== "playing") news.push("started");
  if (!isFirst && isOver && !(before && OVER.includes(before.status))) news.push("ended");
  if (game.turn && game.turn.action !== "wait" && (isFirst || game.version !== before?.version)) news.push("turn");
  return news;
}

/** Return an answer; undefined where none came, after a pause, so that the caller asks again. */
async function answered<T>({ signal, onConnected }: Following, ask: () => Promise<T>): Promise<T | undefined> {
  try {
    const answer = await ask();
    onConnected?.(true);
    return answer;
  } catch (error) {
    if (signal?.aborted) return undefined;
    if (!(error instanceof NoAnswer || (error instanceof PochaError && error.isPassing))) throw error;
    onConnected?.(false);
    await sleep(PAUSE_SECONDS, signal).catch(() => undefined);
    return undefined;
  }
}
