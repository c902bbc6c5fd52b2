import { sleep } from "./http.js";
import { NoAnswer, PochaError } from "./problems.js";
const WAIT_SECONDS = 25;
const LIST_SECONDS = 3;
const PAUSE_SECONDS = 3;
const OVER = ["finished", "abandoned"];
export async function* pollGame(read, id, from, following) {
    const { signal } = following;
    let board = from;
    while (!signal?.aborted && !(board && OVER.includes(board.status))) {
        const before = board;
        const wait = before ? `?after_version=${before.version}&wait=${WAIT_SECONDS}` : "";
        const view = await answered(following, () => read(`/v1/games/${id}${wait}`, { signal, patience: WAIT_SECONDS + 10 }));
        if (!view || view.version === before?.version)
            continue;
        const events = before && (await answered(following, () => eventsOf(read, id, before.version, view.version, signal)));
        board = view;
        yield { board, before, events: events ?? [], isSnapshot: !events };
    }
}
async function eventsOf(read, id, after, until, signal) {
    const events = [];
    for (let next = after; next < until;) {
        const page = await read(`/v1/games/${id}/events?after=${next}`, { signal });
        events.push(...page.items.filter(({ version }) => version <= until));
        next = page.next_after;
    }
    return events;
}
export async function* pollGames(read, following) {
    const { signal } = following;
    let known;
    while (!signal?.aborted) {
        const list = await answered(following, () => read("/v1/me/games?limit=50", { signal }));
        for (const game of list?.items ?? []) {
            for (const event of newsOf(known?.get(game.game_id), game, !known))
                yield { event, game, after: undefined };
        }
        if (list)
            known = new Map(list.items.map((game) => [game.game_id, game]));
        await sleep(LIST_SECONDS, signal).catch(() => undefined);
    }
}
export function newsOf(before, game, isFirst) {
    const isOver = OVER.includes(game.status);
    const news = [];
    if (!isFirst && game.status === "playing" && before?.status !== "playing")
        news.push("started");
    if (!isFirst && isOver && !(before && OVER.includes(before.status)))
        news.push("ended");
    if (game.turn && game.turn.action !== "wait" && (isFirst || game.version !== before?.version))
        news.push("turn");
    return news;
}
async function answered({ signal, onConnected }, ask) {
    try {
        const answer = await ask();
        onConnected?.(true);
        return answer;
    }
    catch (error) {
        if (signal?.aborted)
            return undefined;
        if (!(error instanceof NoAnswer || (error instanceof PochaError && error.isPassing)))
            throw error;
        onConnected?.(false);
        await sleep(PAUSE_SECONDS, signal).catch(() => undefined);
        return undefined;
    }
}
