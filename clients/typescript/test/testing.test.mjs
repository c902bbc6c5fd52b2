// Run by tests/browser/test_typescript_client.py with a service at POCHA_URL and the whole package, compiled, at POCHA_CLIENT.
import assert from "node:assert/strict";
import test from "node:test";

const { Pocha, is } = await import(process.env.POCHA_CLIENT);
const { FakePocha, recording } = await import(new URL("./testing.js", process.env.POCHA_CLIENT));
const service = process.env.POCHA_URL;

async function play(options) {
  const me = await Pocha.guest("Ana", options);
  const game = await me.createGame({ ruleset: "ludoteka-express-3", players: 3, robots: ["easy", "easy"] });
  for await (const turn of me.turns({ games: [game.game_id] })) await turn.letRobotPlay("easy");
  return (await me.game(game.game_id)).scores;
}

test("a recorded game is played again without a service", async () => {
  const exchanges = [];
  const scores = await play({ url: service, fetch: recording(exchanges) });
  const fake = new FakePocha(JSON.parse(JSON.stringify(exchanges)));
  assert.deepEqual(await play({ url: "http://no.service", fetch: fake.fetch }), scores);
  assert.deepEqual(fake.requests, exchanges.map(({ status, answer, ...request }) => request));
});

test("a script answers, refuses and streams, and says what it does not know", async () => {
  const board = { version: 1, seats: [], scores: [] };
  const fake = new FakePocha()
    .refuse("POST", "/v1/games/1/plays", { status: 422, code: "illegal-card", legal_cards: ["oros-3"] })
    .stream("/v1/games/1/stream", [{ id: "1", event: "snapshot", data: JSON.stringify(board) }]);
  const me = new Pocha({ url: "http://no.service", fetch: fake.fetch });
  const refused = await me.move("1", 1, { action: "play", card: "oros-1" }).catch((caught) => caught);
  assert.ok(is(refused, "illegal-card"));
  assert.deepEqual(refused.problem.legal_cards, ["oros-3"]);
  assert.deepEqual(fake.requests, [{ method: "POST", path: "/v1/games/1/plays", body: { card: "oros-1", expected_version: 1 } }]);
  for await (const step of me.follow("1", { wake: () => Promise.resolve() })) assert.deepEqual(step.board, board);
  assert.ok(is(await me.me().catch((caught) => caught), "not-scripted"));
});
