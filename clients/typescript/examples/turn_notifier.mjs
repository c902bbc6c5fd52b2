// Tells a chat when it is somebody's turn, as a bot of Telegram would: replace `console.log` by the call of your messenger.
// Usage: POCHA_TOKEN=… node turn_notifier.mjs [URL]
import { Pocha } from "@pocha/client";

const me = new Pocha({ url: process.argv[2] ?? "http://127.0.0.1:8000", token: process.env.POCHA_TOKEN });
for await (const turn of me.turns()) {
  const { ruleset } = await me.game(turn.game_id);
  console.log(`It is your turn at ${ruleset.title}.`);
}
