// A game in a React component: `import { useGame } from "@pocha/client/react"`.
import { useEffect, useState } from "react";
import type { Move, Pocha } from "./client.js";
import type { Board } from "./fold.js";
import { is } from "./problems.js";

export interface Followed {
  /** The newest board; undefined until the first one is there. */
  board: Board | undefined;
  /** The stream is there; without it the board may be out of date. */
  isConnected: boolean;
  /** A move was sent, and is not on the board yet. */
  isMoving: boolean;
  /** Why the game cannot be followed, or why the last move was refused. */
  error: unknown;
  /** Make a move at the board that is shown. A move that comes too late is dropped: the stream shows what has happened. */
  move(move: Move): Promise<void>;
}

/** Follow a game while the component is shown. */
export function useGame(pocha: Pocha, id: string): Followed {
  const [board, setBoard] = useState<Board>();
  const [isConnected, setConnected] = useState(false);
  const [isMoving, setMoving] = useState(false);
  const [error, setError] = useState<unknown>();

  useEffect(() => {
    const stop = new AbortController();
    const follow = async () => {
      for await (const step of pocha.follow(id, { signal: stop.signal, onConnected: setConnected })) {
        setBoard(step.board);
        setMoving(false);
      }
    };
    setBoard(undefined);
    setError(undefined);
    follow().catch((reason: unknown) => stop.signal.aborted || setError(reason));
    return () => stop.abort();
  }, [pocha, id]);

  const move = async (made: Move) => {
    if (!board || isMoving) return;
    setMoving(true);
    setError(undefined);
    try {
      await pocha.move(id, board.version, made);
    } catch (reason) {
      setMoving(false);
      if (!is(reason, "version-conflict")) setError(reason);
    }
  };
  return { board, isConnected, isMoving, error, move };
}
