import { fold } from "./fold.js";
import { send, sleep } from "./http.js";
import { pollGame, pollGames } from "./polling.js";
import { NoAnswer, PochaError } from "./problems.js";
import { frames, NoStream } from "./stream.js";
const WAIT_SECONDS = 25;
const UNTAKEN_SECONDS = 0.5;
export class Pocha {
    language;
    #outbox;
    #sending = new Set();
    #transport;
    #token;
    constructor(options) {
        const given = options.token;
        this.language = options.language;
        this.#outbox = options.outbox;
        if (typeof given !== "function")
            this.#token = given;
        this.#transport = {
            url: options.url.replace(/\/$/, ""),
            fetch: options.fetch ?? ((...call) => globalThis.fetch(...call)),
            tries: options.tries ?? 5,
            eventSource: options.eventSource,
            token: () => (typeof given === "function" ? given() : this.#token),
            language: () => this.language,
        };
    }
    static async guest(name, options) {
        const nobody = new Pocha(options);
        const guest = await nobody.becomeGuest(name);
        nobody.#token = guest.token;
        return Object.assign(nobody, { guest });
    }
    becomeGuest(name) {
        return this.#json("/v1/players", { method: "POST", body: { display_name: name } });
    }
    renewToken() {
        return this.#json("/v1/me/token", { method: "POST" });
    }
    me() {
        return this.#json("/v1/me");
    }
    rename(name) {
        return this.#json("/v1/me", { method: "PATCH", body: { display_name: name } });
    }
    async deleteMe() {
        await send(this.#transport, "/v1/me", { method: "DELETE" });
    }
    exportMe() {
        return this.#json("/v1/me/export");
    }
    stats(playerId) {
        return this.#json(`/v1/players/${playerId}/stats`);
    }
    leaderboard(rulesetId) {
        return this.#pages(`/v1/leaderboards/${rulesetId}`, {});
    }
    rulesets() {
        return this.#json("/v1/rulesets");
    }
    ruleset(id) {
        return this.#json(`/v1/rulesets/${id}`);
    }
    validateRuleset(ruleset, houseRules) {
        return this.#json("/v1/rulesets/validate", { method: "POST", body: { ruleset, house_rules: houseRules } });
    }
    glossary() {
        return this.#json("/v1/glossary");
    }
    games(filter = {}) {
        return this.#pages("/v1/games", filter);
    }
    myGames(filter = {}) {
        return this.#pages("/v1/me/games", filter);
    }
    async gamesPage(filter = {}) {
        return this.#json(`/v1/games${query(filter)}`);
    }
    commit() {
        return this.command({ method: "POST", path: "/v1/commitments" });
    }
    createGame(table) {
        const robots = table.robots?.map((robot) => (typeof robot === "string" ? { level: robot } : robot));
        return this.command({ method: "POST", path: "/v1/games", body: { ...table, ...(robots ? { robots } : {}) } });
    }
    game(id, signal) {
        return this.#json(`/v1/games/${id}`, { signal });
    }
    join(id, options = {}) {
        return this.command({ method: "POST", path: `/v1/games/${id}/seats`, body: options });
    }
    joinCode(id) {
        return this.#json(`/v1/games/${id}/join-code`, { method: "POST" });
    }
    joinByCode(code, options = {}) {
        return this.#json("/v1/joins", { method: "POST", body: { code, ...options } });
    }
    requestMatch(wanted) {
        const { robots, ...rest } = wanted;
        return this.command({ method: "POST", path: "/v1/matches", body: { ...rest, ...(robots ? { robots: { level: robots } } : {}) } });
    }
    match(id, options = {}) {
        const { wait = 0, signal } = options;
        return this.#json(`/v1/matches/${id}${query({ wait })}`, { signal, patience: wait + 10 });
    }
    cancelMatch(id) {
        return this.#json(`/v1/matches/${id}`, { method: "DELETE" });
    }
    leave(id, seat) {
        return this.command({ method: "DELETE", path: `/v1/games/${id}/seats/${seat}` });
    }
    seatRobot(id, seat, level) {
        return this.command({ method: "PUT", path: `/v1/games/${id}/seats/${seat}/robot`, body: { level } });
    }
    close(id) {
        return this.command({ method: "DELETE", path: `/v1/games/${id}` });
    }
    autoPlay(id, seat, choice) {
        return this.command({ method: "PUT", path: `/v1/games/${id}/seats/${seat}/auto-play`, body: { auto_play: choice } });
    }
    react(id, reaction) {
        return this.#json(`/v1/games/${id}/reactions`, { method: "POST", body: { reaction }, headers: { "Idempotency-Key": newKey() } });
    }
    rematch(id) {
        return this.command({ method: "POST", path: `/v1/games/${id}/rematch`, body: {} });
    }
    move(id, version, move) {
        const [place, choice] = requestOf(move);
        return this.command({ method: "POST", path: `/v1/games/${id}/${place}`, body: { ...choice, expected_version: version } });
    }
    letRobotPlay(id, version, level = "normal") {
        return this.command({ method: "POST", path: `/v1/games/${id}/robot-moves`, body: { level, expected_version: version } });
    }
    claimRenuncio(id, seat, trick) {
        return this.command({ method: "POST", path: `/v1/games/${id}/renuncio-claims`, body: { seat, trick } });
    }
    scoreSheet(id) {
        return this.#json(`/v1/games/${id}/score-sheet`);
    }
    gameRuleset(id) {
        return this.#json(`/v1/games/${id}/ruleset`);
    }
    fairness(id) {
        return this.#json(`/v1/games/${id}/fairness`);
    }
    record(id) {
        return this.#json(`/v1/games/${id}/record`);
    }
    streamTicket(gameId) {
        return this.#json("/v1/stream-tickets", { method: "POST", body: gameId === undefined ? {} : { game_id: gameId } });
    }
    async command(command) {
        const kept = { key: newKey(), ...command };
        this.#outbox?.put(kept);
        this.#sending.add(kept.key);
        try {
            const answer = await this.#json(kept.path, {
                method: kept.method,
                headers: { "Idempotency-Key": kept.key },
                ...(kept.body ? { body: kept.body } : {}),
            });
            this.#outbox?.remove(kept.key);
            return answer;
        }
        catch (error) {
            if (error instanceof PochaError && error.status < 500 && error.status !== 429)
                this.#outbox?.remove(kept.key);
            throw error;
        }
        finally {
            this.#sending.delete(kept.key);
        }
    }
    async flush() {
        for (const command of this.#outbox?.list() ?? []) {
            if (this.#sending.has(command.key))
                continue;
            try {
                await this.command(command);
            }
            catch (error) {
                if (error instanceof NoAnswer)
                    return;
            }
        }
    }
    async *turns(options = {}) {
        const { signal } = options;
        const left = options.games && new Set(options.games);
        let seen = new Map();
        let after;
        await this.#dropOver(left, signal);
        while (!signal?.aborted && left?.size !== 0) {
            const path = `/v1/me/turns${query({ wait: WAIT_SECONDS, after })}`;
            const { items, ended, next_after } = await this.#json(path, { signal, patience: WAIT_SECONDS + 10 });
            const fresh = items.filter(({ game_id, version }) => seen.get(game_id) !== version);
            for (const { game_id, version, turn } of fresh)
                if (!left || left.has(game_id))
                    yield this.#turn(game_id, version, turn);
            seen = new Map(items.map(({ game_id, version }) => [game_id, version]));
            for (const { game_id } of ended)
                left?.delete(game_id);
            if (after === undefined)
                await this.#dropOver(left, signal);
            after = next_after;
            if (items.length > 0 && fresh.length === 0)
                await sleep(UNTAKEN_SECONDS, signal);
        }
    }
    async #dropOver(games, signal) {
        for (const id of games ?? []) {
            const { status } = await this.game(id, signal);
            if (status === "finished" || status === "abandoned")
                games?.delete(id);
        }
    }
    async *follow(id, options = {}) {
        const { mute, onReaction } = options;
        let board = options.from;
        const after = board ? String(board.version) : undefined;
        const path = `/v1/games/${id}/stream${query({ mute: mute && String(mute) })}`;
        try {
            for await (const frame of frames(this.#transport, path, isEnd, { after, ...options })) {
                const before = board;
                if (frame.event === "snapshot") {
                    board = JSON.parse(frame.data);
                    yield { board, before, events: [], isSnapshot: true };
                }
                else if (frame.event === "commit" && board) {
                    const commit = JSON.parse(frame.data);
                    if (commit.version <= board.version)
                        continue;
                    board = applied(board, commit);
                    yield { board, before, events: commit.events, isSnapshot: false };
                }
                else if (frame.event === "reaction") {
                    onReaction?.(JSON.parse(frame.data));
                }
            }
        }
        catch (error) {
            if (!(error instanceof NoStream))
                throw error;
            yield* pollGame(this.#read, id, board, options);
        }
    }
    async *news(options = {}) {
        try {
            for await (const { id, event, data } of frames(this.#transport, "/v1/me/stream", () => false, options)) {
                if (event !== "games")
                    yield { event, game: JSON.parse(data), after: id };
                else {
                    const { items } = JSON.parse(data);
                    for (const game of items)
                        if (game.turn && game.turn.action !== "wait")
                            yield { event: "turn", game, after: id };
                }
            }
        }
        catch (error) {
            if (!(error instanceof NoStream))
                throw error;
            yield* pollGames(this.#read, options);
        }
    }
    #turn(game_id, version, turn) {
        const move = (made) => this.move(game_id, version, made);
        const doing = { game_id, version, letRobotPlay: (level) => this.letRobotPlay(game_id, version, level) };
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
    #read = (path, request) => this.#json(path, request);
    async *#pages(path, filter) {
        for (let cursor;;) {
            const page = await this.#json(`${path}${query({ ...filter, cursor })}`);
            yield* page.items;
            if (!(cursor = page.next_cursor))
                return;
        }
    }
    async #json(path, request = {}) {
        return (await (await send(this.#transport, path, request)).json());
    }
}
export function applied(board, commit) {
    const { turn: _, ...after } = commit.events.reduce(fold, board);
    return { ...after, version: commit.version, status: commit.status, server_time: commit.server_time, ...(commit.turn ? { turn: commit.turn } : {}) };
}
export function newKey() {
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
function requestOf(move) {
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
function isEnd(frame) {
    return frame.event === "game_over";
}
function query(values) {
    const given = Object.entries(values).filter(([, value]) => value !== undefined);
    return given.length ? `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}` : "";
}
