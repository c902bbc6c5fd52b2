// A client on the types that openapi-typescript generates: type-checked with them, and run.
import type { components } from "./pocha.js";

type Schemas = components["schemas"];

/** The contract's own examples; members that the service fills in may be left out. */
export const smallest: Schemas["NewGame"] = { players: 4 };
export const withRobot: Schemas["NewGame"] = { ruleset: "ludoteka-express-3", players: 3, robots: [{ level: "easy" }] };

/** Tell what happened. Events of later versions are ignored. */
export function tell(event: Schemas["GameEvent"]): string {
  switch (event.type) {
    case "seat_taken":
      return `${event.player.display_name} takes seat ${event.seat}`;
    case "hand_dealt":
      return `${event.cards} cards, ${event.trump ?? "no trump"}`;
    case "bid_made":
    case "auction_bid_made":
      return `${event.seat} bids ${event.bid}`;
    case "card_played":
      return `${event.seat} plays ${event.card}`;
    case "hand_scored":
      return event.scores.map((score) => score.total).join(" ");
    case "game_over":
      return `won by ${event.result.winners.join(" and ")}`;
    default:
      return "";
  }
}

type Move =
  | { path: "bids" | "auction-bids"; body: Schemas["BidRequest"] }
  | { path: "plays"; body: Schemas["PlayRequest"] }
  | { path: "auction-passes"; body: Schemas["PassRequest"] }
  | { path: "trump"; body: Schemas["TrumpRequest"] }
  | { path: "blind-pick"; body: Schemas["BlindPickRequest"] };

/** Return a legal move; undefined where there is none, or the action is of a later version. */
export function move(turn: Schemas["TurnView"]): Move | undefined {
  switch (turn.action) {
    case "bid":
      return { path: "bids", body: { bid: turn.legal_bids[0]! } };
    case "play":
      return { path: "plays", body: { card: turn.legal_cards[0]! } };
    case "auction_bid":
      return turn.may_pass ? { path: "auction-passes", body: {} } : { path: "auction-bids", body: { bid: turn.legal_bids[0]! } };
    case "choose_trump":
      return { path: "trump", body: { suit: turn.legal_suits[0]! } };
    case "blind_pick":
      return { path: "blind-pick", body: { position: turn.positions[0]! } };
    default:
      return undefined;
  }
}

/** Return the table that was joined; undefined for a score sheet, and for what is of a later version. */
export function table(joined: Schemas["Joined"]): Schemas["GameView"] | undefined {
  return joined.type === "game" ? joined.game : undefined;
}

/** Return what may be written next on a score sheet, or was written. */
export function bids(sheet: Schemas["SheetNext"] | Schemas["ScoreKeeperEntry"]): number[] {
  if ("action" in sheet) return sheet.action === "bid" ? sheet.legal_bids : [];
  return sheet.type === "bid" ? [sheet.bid] : [];
}

/** Read the results of moves as the client of a game does, and return how much of them it understood. */
export function read(results: Schemas["MoveResult"][]): { told: number; ignored: number; moves: number } {
  const told = results.flatMap((result) => result.events.map(tell));
  const turns = results.flatMap((result) => (result.game.turn ? [result.game.turn] : []));
  const ignored = told.filter((line) => line === "").length;
  return { told: told.length - ignored, ignored, moves: turns.filter((turn) => move(turn) !== undefined).length };
}
