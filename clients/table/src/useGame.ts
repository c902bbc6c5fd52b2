// One game, followed: the director's scene, whether the connection is there, and how to move.
import { is, NoAnswer, PochaError, type Board, type Move, type Ruleset, type SeatReaction } from "../../typescript/src/index.js";
import { Director } from "./director.js";
import { explain, me, pocha } from "./session.js";
import { games } from "./storage.js";
import { useEffect, useRef, useState } from "./vendor/preact.js";

export interface Game {
  director: Director;
  isConnected: boolean;
  /** The newest board, before the director has shown it. */
  newest: Board | undefined;
  /** The milliseconds that the service's clock is ahead of ours. */
  clockOffset: number;
  /** What the player has asked for and the board does not show yet. */
  pending: Move | undefined;
  /** The connection was lost before `pending` was answered. */
  isUnanswered: boolean;
  /** The rules of the game, once they were asked for. */
  rules: Ruleset | undefined;
  /** How many hands the game has without those that break a tie, once the rules were asked for. */
  scheduled: number | undefined;
  problem: string | undefined;
  isUnknown: boolean;
  move(move: Move): Promise<void>;
  /** Do something else at the table, and tell what went wrong. */
  attempt(action: () => Promise<unknown>): Promise<void>;
  clearProblem(): void;
}

export function useGame(id: string, onUnknown: () => void): Game {
  const [, draw] = useState(0);
  const again = () => draw((count) => count + 1);
  const state = useRef<Omit<Game, "move" | "attempt" | "clearProblem"> | null>(null);
  state.current ??= {
    director: new Director(again),
    isConnected: true,
    newest: undefined,
    clockOffset: 0,
    pending: undefined,
    isUnanswered: false,
    rules: undefined,
    scheduled: undefined,
    problem: undefined,
    isUnknown: false,
  };
  const game = state.current;

  useEffect(() => {
    const stop = new AbortController();
    const readRules = async () => {
      try {
        const { ruleset, schedule } = await pocha.gameRuleset(id);
        game.rules = ruleset;
        game.scheduled = schedule.hands.length;
        again();
      } catch {
        // Cards are then sorted as most rulesets rank them.
      }
    };
    const follow = async () => {
      await pocha.flush();
      for await (const step of pocha.follow(id, { signal: stop.signal, wake: comesBack, watch: goesAway, onConnected, onReaction })) {
        if (step.isSnapshot || !step.before || step.board.version - step.before.version === 1) game.clockOffset = Date.parse(step.board.server_time) - Date.now();
        if (!game.rules && !game.newest) void readRules();
        if (step.board.version !== game.newest?.version) game.pending = undefined;
        game.newest = step.board;
        if (step.board.my_seat !== undefined || step.before === undefined) games.add(id);
        game.director.take(step);
        again();
      }
    };
    const sendAgain = async () => {
      await pocha.flush();
      if (game.isUnanswered) game.pending = undefined;
      game.isUnanswered = false;
      again();
    };
    const onReaction = (reaction: SeatReaction) => game.director.hear(reaction);
    const onConnected = (isConnected: boolean) => {
      if (isConnected && !game.isConnected) void sendAgain();
      game.isConnected = isConnected;
      again();
    };
    follow().catch((error: unknown) => {
      if (stop.signal.aborted) return;
      game.isUnknown = true;
      game.problem = explain(error);
      if (error instanceof PochaError && error.status === 401 && me()) onUnknown();
      again();
    });
    return () => {
      stop.abort();
      game.director.stop();
      state.current = null;
    };
  }, [id]);

  const attempt = async (action: () => Promise<unknown>) => {
    game.problem = undefined;
    try {
      await action();
    } catch (error) {
      game.problem = explain(error);
    }
    again();
  };
  const move = async (made: Move) => {
    const board = game.newest;
    if (!board || game.pending) return;
    game.pending = made;
    again();
    await attempt(async () => {
      try {
        await pocha.move(id, board.version, made);
      } catch (error) {
        if (error instanceof NoAnswer && !game.isConnected) {
          game.isUnanswered = true; // it is kept, and sent again when the connection is back
          return;
        }
        game.pending = undefined;
        // The game went on meanwhile: the stream shows it.
        if (!is(error, "version-conflict")) throw error;
      }
    });
  };
  const clearProblem = () => {
    game.problem = undefined;
    again();
  };
  return { ...game, move, attempt, clearProblem };
}

/** Cut the connection when the browser says that the network is gone: it leaves open answers alone. */
function goesAway(cut: () => void): () => void {
  addEventListener("offline", cut);
  return () => removeEventListener("offline", cut);
}

/** Resolve when a lost connection may be there again: the network is back, or the page is looked at again. */
function comesBack(): Promise<void> {
  return new Promise((resolve) => {
    const stop = new AbortController();
    const back = () => {
      if (document.hidden) return;
      stop.abort();
      resolve();
    };
    addEventListener("online", back, { signal: stop.signal });
    document.addEventListener("visibilitychange", back, { signal: stop.signal });
  });
}
