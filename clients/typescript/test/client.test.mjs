// Run by tests/browser/test_typescript_client.py with a service at POCHA_URL and the compiled client at POCHA_CLIENT.
import assert from "node:assert/strict";
import test from "node:test";

const { Pocha, PochaError, NoAnswer, fold, is } = await import(process.env.POCHA_CLIENT);
const { parse } = await import(new URL("./stream.js", process.env.POCHA_CLIENT));
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
