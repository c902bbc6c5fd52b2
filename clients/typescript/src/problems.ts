// What the service refuses, and what does not reach it.
import type { Card, Problem } from "./contract.js";

/** A refusal of the service: a problem document (RFC 9457). `message` is its `detail`, in the language of the client. */
export class PochaError extends Error {
  override readonly name = "PochaError";
  readonly code: string;
  readonly status: number;
  /** Why the command was refused, such as `must-follow`, if there is a closer reason than `code`. */
  readonly reason: string | undefined;

  constructor(
    readonly problem: Problem,
    /** The id of the request, for the operator of the service. */
    readonly requestId: string | undefined,
    /** Seconds to wait, from `Retry-After`. */
    readonly retryAfter: number | undefined,
  ) {
    super(problem.detail);
    this.code = problem.code;
    this.status = problem.status;
    this.reason = problem.reason;
  }

  /** The same request may be answered otherwise soon. */
  get isPassing(): boolean {
    return this.status === 429 || this.status >= 500;
  }
}

/** No answer came, after all tries. Whether the command arrived is unknown: repeat it with the same key. */
export class NoAnswer extends Error {
  override readonly name = "NoAnswer";
}

/** The members that a problem of each code has besides the common ones. */
interface Facts {
  "illegal-card": { legal_cards: Card[]; reason: string };
  "illegal-bid": { legal_bids: number[]; reason: string };
  "version-conflict": { current_version: number };
  "not-your-turn": { seat_on_turn: number };
  "rate-limited": { retry_after: number };
}

/** Tell whether `error` is a refusal with this `code`; its `problem` then has the members of that code. */
export function is<C extends keyof Facts | (string & {})>(
  error: unknown,
  code: C,
): error is PochaError & { problem: Problem & (C extends keyof Facts ? Facts[C] : unknown) } {
  return error instanceof PochaError && error.code === code;
}
