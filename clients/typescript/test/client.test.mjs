// Run by tests/browser/test_typescript_client.py with a service at POCHA_URL and the compiled client at POCHA_CLIENT.
import assert from "node:assert/strict";
import test from "node:test";

const { Pocha, PochaError, NoAnswer, fold, is } = await import(process.env.POCHA_CLIENT);
const { parse } = await import(new URL("./stream.js", process.env.POCHA_CLIENT));
const { newsOf } = await import(new URL("./polling.js", process.env.POCHA_CLIENT));
const url = process.env.POCHA_URL;

async function guest(options = {}) {
  return Pocha.guest("Ana", { url, ...options });
}

/** Make the first legal move of a turn. */
function answer(turn) {
  switch (turn.action) {
    case "bid":
      return turn.bid(turn.legal_bids[0]);
    case "play":
      return turn.play(turn.legal_cards[0]);
    case "auction_bid":
      return turn.legal_bids.length ? turn.bid(turn.legal_bids[0]) : turn.pass();
    case "choose_trump":
      return turn.choose(turn.legal_suits[0]);
    case "blind_pick":
      return turn.pick(turn.positions[0]);
    default:
      return turn.letRobotPlay();
  }
}

test("a bot plays a whole game, and its turns end with it", async () => {
  const me = await guest();
  const game = await me.createGame({ ruleset: "ludoteka-express-3", players: 3, robots: ["easy", "easy"] });
  let moves = 0;
  for await (const turn of me.turns({ games: [game.game_id] })) {
    await answer(turn);
    moves++;
  }
  const over = await me.game(game.game_id);
  assert.equal(over.status, "finished");
  assert.ok(moves > 36);
  assert.deepEqual((await me.scoreSheet(game.game_id)).totals, over.scores.map(({ points }) => points));
});

test("a turn comes once though it is asked for again, and a robot takes one of a later version", async () => {
  const polls = [];
  let takeFirst;
  const later = async (address, init) => {
    const isPoll = String(address).includes("/me/turns");
    if (isPoll && polls.push(performance.now()) === 3) await takeFirst();
    const response = await fetch(address, init);
    if (!isPoll) return response;
    const list = await response.json();
    return Response.json({ ...list, items: list.items.map((item) => ({ ...item, turn: { ...item.turn, action: "of-tomorrow" } })) });
  };
  const me = await guest({ fetch: later });
  const game = await me.createGame({ ruleset: "ludoteka-express-3", players: 3, robots: ["easy", "easy"] });
  const versions = [];
  for await (const turn of me.turns({ games: [game.game_id] })) {
    versions.push(turn.version);
    if (versions.length === 1) takeFirst = () => turn.letRobotPlay();
    else await turn.letRobotPlay("easy");
  }
  assert.equal(new Set(versions).size, versions.length);
  assert.ok(polls[2] - polls[1] >= 400, "no pause");
  assert.equal((await me.game(game.game_id)).status, "finished");
});

test("a followed board is the board of the service, over every connection that breaks", async () => {
  let connections = 0;
  const breaking = async (address, init) => {
    const response = await fetch(address, init);
    if (!String(address).endsWith("/stream") || response.status !== 200) return response;
    connections++;
    let frames = 0;
    const cut = new TransformStream({
      transform(piece, controller) {
        controller.enqueue(piece);
        if (++frames === 2) controller.error(new Error("cut"));
      },
    });
    return new Response(response.body.pipeThrough(cut), response);
  };
  const me = await guest({ fetch: breaking });
  const game = await me.createGame({ ruleset: "ludoteka-express-3", players: 3, robots: ["easy", "easy"] });
  let board;
  const following = (async () => {
    for await (const step of me.follow(game.game_id)) board = step.board;
  })();
  for await (const turn of me.turns({ games: [game.game_id] })) await answer(turn);
  await following;
  const { presence: _p, server_time: _t, ...last } = await me.game(game.game_id);
  const { hands: _h, server_time: _s, ...followed } = board;
  const lasting = ({ seats, ...view }) => ({ ...view, seats: seats.map(({ presence, ...seat }) => seat) });
  assert.deepEqual(lasting(followed), lasting(last));
  assert.ok(connections > 1);
});

/** An EventSource as browsers have it, and the addresses that it was given. */
function eventSources() {
  const addresses = [];
  class Source {
    constructor(address) {
      addresses.push(address);
      this.listeners = {};
      this.stop = new AbortController();
      this.read(address).catch(() => undefined).then(() => this.tell("error", {}));
    }
    async read(address) {
      const { body } = await fetch(address, { signal: this.stop.signal });
      for await (const { id, event, data } of parse(body.pipeThrough(new TextDecoderStream()))) this.tell(event, { data, lastEventId: id });
    }
    tell(event, message) {
      for (const listener of this.listeners[event] ?? []) listener(message);
    }
    addEventListener(event, listener) {
      (this.listeners[event] ??= []).push(listener);
    }
    close() {
      this.stop.abort();
    }
  }
  return { addresses, eventSource: Source };
}

/** The cards of a game of `ludoteka-express-3`. */
const CARDS = 108;

/** Return the cards that following a game tells, while its turns are played. */
async function followed(me) {
  const game = await me.createGame({ ruleset: "ludoteka-express-3", players: 3, robots: ["easy", "easy"] });
  const events = [];
  let board;
  const steps = me.follow(game.game_id);
  await steps.next();
  const following = (async () => {
    for await (const step of steps) {
      board = step.board;
      events.push(...step.events);
    }
  })();
  for await (const turn of me.turns({ games: [game.game_id] })) await answer(turn);
  await following;
  assert.equal(board.status, "finished");
  return events.filter(({ type }) => type === "card_played").map(({ card }) => card);
}

test("where fetch does not stream, a game is followed by long polling, and the news of all games come from their list", async () => {
  const without = async (address, init) => {
    const response = await fetch(address, init);
    if (!String(address).endsWith("/stream")) return response;
    await response.body.cancel();
    return { status: 200, headers: response.headers, body: null };
  };
  const me = await guest({ fetch: without });
  const { game_id } = await me.createGame({ ruleset: "ludoteka-express-3", players: 3, robots: ["easy", "easy"] });
  for await (const { event, game } of me.news()) {
    assert.deepEqual([event, game.game_id], ["turn", game_id]);
    break;
  }
  assert.equal((await followed(me)).length, CARDS);
});

test("what keeps streams back is told from a lost connection: then they are read by polling", async () => {
  const silent = async (address, init) => (String(address).endsWith("/stream") ? new Response("") : fetch(address, init));
  assert.equal((await followed(await guest({ fetch: silent }))).length, CARDS);
});

test("a game is followed by EventSource with a ticket, and the token is in no address", async () => {
  const { addresses, eventSource } = eventSources();
  const me = await guest({ eventSource });
  assert.equal((await followed(me)).length, CARDS);
  assert.ok(addresses.length > 0);
  for (const address of addresses) {
    assert.match(address, /\/stream\?ticket=/);
    assert.ok(!address.includes(me.guest.token));
  }
});

test("the list of games tells what their stream would have told", () => {
  const game = { status: "playing", version: 5 };
  const turn = { action: "bid" };
  assert.deepEqual(newsOf(undefined, { ...game, turn }, true), ["turn"]);
  assert.deepEqual(newsOf({ status: "waiting", version: 4 }, { ...game, turn }, false), ["started", "turn"]);
  assert.deepEqual(newsOf(game, { ...game, version: 6, turn: { action: "wait" } }, false), []);
  assert.deepEqual(newsOf({ ...game, turn }, { ...game, turn }, false), []);
  assert.deepEqual(newsOf(game, { status: "finished", version: 7 }, false), ["ended"]);
});

test("all games of a player are in one stream, which goes on after the last frame", async () => {
  const me = await guest();
  const game = await me.createGame({ ruleset: "ludoteka-express-3", players: 3, robots: ["easy", "easy"] });
  let last;
  for await (const { event, game: told, after } of me.news()) {
    assert.equal(told.game_id, game.game_id);
    last = after;
    if (event === "turn") break;
  }
  await me.letRobotPlay(game.game_id, game.version);
  for await (const { event, game: told } of me.news({ after: last })) {
    if (event === "turn" && told.version > game.version) break;
  }
});

test("friends sit down by a code, and speak to each other; whom one has muted is not heard", async () => {
  const [ana, eva] = [await guest(), await guest()];
  const table = await ana.createGame({ players: 4, robots: ["easy"], visibility: "private" });
  const { code } = await ana.joinCode(table.game_id);
  const { type, game } = await eva.joinByCode(code.toLowerCase());
  assert.deepEqual([type, game.my_seat], ["game", 1]);
  const heard = { all: [], some: [] };
  const stop = new AbortController();
  const hear = async (list, mute) => {
    const onReaction = ({ reaction }) => heard[list].push(reaction) === 2 && stop.abort();
    for await (const _ of ana.follow(table.game_id, { signal: stop.signal, onReaction, mute }));
  };
  const hearing = [hear("all"), hear("some", [eva.guest.player_id])];
  while (!stop.signal.aborted) {
    if (heard.all.length === 0) await eva.react(table.game_id, "well-played");
    else await ana.react(table.game_id, "thanks");
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  await Promise.all(hearing);
  assert.equal(heard.all[0], "well-played");
  assert.ok(!heard.some.includes("well-played"));
});

test("a player is matched, renamed, counted, exported and deleted", async () => {
  const me = await guest();
  const { match_id } = await me.requestMatch({ ruleset: "ludoteka-express-3", players: 3, wait_seconds: 30, robots: "easy" });
  assert.equal((await me.cancelMatch(match_id)).status, "cancelled");
  assert.equal((await me.match(match_id)).status, "cancelled");
  assert.equal((await me.rename("Anita")).display_name, "Anita");
  assert.equal((await me.me()).display_name, "Anita");
  assert.deepEqual((await me.stats(me.guest.player_id)).items, []);
  for await (const { player_id } of me.leaderboard("clasica")) assert.ok(player_id);
  assert.equal((await me.exportMe()).player.display_name, "Anita");
  const game = await me.createGame({ players: 3, robots: ["easy", "easy"] });
  assert.equal((await me.autoPlay(game.game_id, 0, "forced")).seats[0].auto_play, "forced");
  for await (const { game_id } of me.myGames()) assert.equal(game_id, game.game_id);
  const table = await me.createGame({ players: 4 });
  assert.equal((await me.close(table.game_id)).status, "abandoned");
  assert.equal((await me.streamTicket()).path, "/v1/me/stream");
  await me.deleteMe();
  assert.ok(is(await me.me().catch((caught) => caught), "unauthenticated"));
});

test("a command without an answer is repeated with its key, and happens once", async () => {
  const keys = [];
  const losing = async (address, init) => {
    const response = await fetch(address, init);
    if (init.method !== "POST" || !String(address).endsWith("/games")) return response;
    keys.push(init.headers["Idempotency-Key"]);
    if (keys.length === 1) throw new TypeError("network");
    return response;
  };
  const kept = new Map();
  const outbox = { put: (command) => kept.set(command.key, command), remove: (key) => kept.delete(key), list: () => [...kept.values()] };
  const me = await guest({ fetch: losing, outbox });
  const game = await me.createGame({ players: 4 });
  assert.equal(keys.length, 2);
  assert.equal(keys[0], keys[1]);
  assert.equal(kept.size, 0);
  assert.equal(game.status, "waiting");
});

test("a command that never got an answer stays in the outbox, and is sent again by flush", async () => {
  let isDown = true;
  const kept = new Map();
  const outbox = { put: (command) => kept.set(command.key, command), remove: (key) => kept.delete(key), list: () => [...kept.values()] };
  const me = await guest({ outbox, tries: 1, fetch: (address, init) => (isDown && init.headers["Idempotency-Key"] ? Promise.reject(new TypeError("network")) : fetch(address, init)) });
  await assert.rejects(me.createGame({ players: 4 }), NoAnswer);
  assert.equal(kept.size, 1);
  isDown = false;
  await me.flush();
  assert.equal(kept.size, 0);
});

test("Retry-After is honoured, and a refusal that passes is not thrown", async () => {
  const times = [];
  const busy = async (address, init) => {
    times.push(performance.now());
    return times.length === 1 ? new Response("{}", { status: 503, headers: { "Retry-After": "1" } }) : fetch(address, init);
  };
  const rulesets = await new Pocha({ url, fetch: busy }).rulesets();
  assert.equal(times.length, 2);
  assert.ok(times[1] - times[0] >= 900);
  assert.equal(rulesets.items[0].ruleset.ruleset_id, "clasica");
});

test("a refusal tells its code, its reason and its facts in the language of the client", async () => {
  const me = await guest({ language: "es" });
  const game = await me.createGame({ ruleset: "ludoteka-express-3", players: 3, robots: ["easy", "easy"] });
  const error = await me.move(game.game_id, game.version, { action: "bid", bid: 24 }).catch((caught) => caught);
  assert.ok(error instanceof PochaError);
  assert.ok(is(error, "illegal-bid"));
  assert.ok(!is(error, "illegal-card"));
  assert.equal(error.reason, "out-of-range");
  assert.deepEqual(error.problem.legal_bids, game.turn.legal_bids);
  assert.match(error.message, /bazas/);
  assert.ok(error.requestId);
  const stale = await me.move(game.game_id, game.version + 1, { action: "bid", bid: 0 }).catch((caught) => caught);
  assert.ok(is(stale, "version-conflict"));
});

test("frames are read wherever the pieces of a stream end", async () => {
  const text = ": heartbeat\n\nretry: 2000\n\nid: 7\nevent: snapshot\ndata: {\"a\":1}\n\nid: 8\r\nevent: commit\r\ndata: x\r\ndata: y\r\n\r\n";
  const whole = [{ retry: 2000 }, { id: "7", event: "snapshot", data: '{"a":1}' }, { id: "8", event: "commit", data: "x\ny" }];
  for (const length of [1, 2, 3, 7, 1000]) {
    async function* pieces() {
      for (let at = 0; at < text.length; at += length) yield text.slice(at, at + length);
    }
    const found = [];
    for await (const frame of parse(pieces())) found.push(frame);
    assert.deepEqual(found, whole, `pieces of ${length}`);
  }
});

test("events of types that this version does not know change nothing", () => {
  const board = { seats: [], scores: [] };
  assert.equal(fold(board, { type: "of-tomorrow" }), board);
});
