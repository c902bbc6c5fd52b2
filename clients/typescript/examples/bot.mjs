// A bot: it makes a table with robots, and plays it to the end. Usage: node bot.mjs [URL]
import { Pocha } from "@pocha/client";

const me = await Pocha.guest("Botarate", { url: process.argv[2] ?? "http://127.0.0.1:8000" });
const game = await me.createGame({ players: 3, ruleset: "ludoteka-express-3", robots: ["easy", "normal"] });
for await (const turn of me.turns({ games: [game.game_id] })) {
  switch (turn.action) {
    case "bid":
      await turn.bid(turn.legal_bids[0]);
      break;
    case "play":
      await turn.play(turn.legal_cards[0]);
      break;
    default:
      await turn.letRobotPlay(); // auctions and the like are left to a robot
  }
}
console.log((await me.scoreSheet(game.game_id)).totals.join(" "));
