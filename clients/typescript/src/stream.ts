// Server-sent events, by fetch: EventSource cannot send the Authorization header. Where fetch does not stream, by EventSource with a ticket.
import type { SeatReaction } from "./contract.js";
import { eventSource } from "./eventSource.js";
import { backoff, once, problemOf, sleep, type Transport } from "./http.js";
import { PochaError } from "./problems.js";

export interface Frame {
  id: string;
  event: string;
  data: string;
}

/** A frame, or the pause that the service asks for before the next connection. */
export type Part = Frame | { retry: number };

/** Streams do not come through here: the host has none, or something on the way keeps them back. */
export class NoStream extends Error {
  override readonly name = "NoStream";
}

/** Nothing at all for so long, not even a heartbeat: the connection is dead. */
const SILENCE_SECONDS = 45;
/** A stream begins with its `retry` at once: what is silent for so long is kept back. */
const FIRST_SECONDS = 10;
/** So many connections in a row that were opened and brought nothing. */
const MOST_EMPTY = 2;

export interface Following {
  /** The `Last-Event-ID` to begin after. */
  after?: string | undefined;
  signal?: AbortSignal | undefined;
  /** Told when the connection is there (`true`) or lost (`false`). */
  onConnected?: ((connected: boolean) => void) | undefined;
  /** Given a function that cuts the connection, for who learns that it is dead; returns how to stop that. */
  watch?: ((cut: () => void) => () => void) | undefined;
  /** Resolves when it is worth trying again before the pause is over, as when a phone is back online. */
  wake?: (() => Promise<void>) | undefined;
  /** Told what players say to each other. */
  onReaction?: ((reaction: SeatReaction) => void) | undefined;
  /** Whose reactions to leave out: players by their ids. */
  mute?: "all" | readonly string[] | undefined;
}

/** Yield the frames of a stream, over as many connections as it takes, until it answers 204 or `isLast` says so. Throws `NoStream`. */
export async function* frames(transport: Transport, path: string, isLast: (frame: Frame) => boolean, following: Following): AsyncGenerator<Frame> {
  const { signal, onConnected, wake, watch } = following;
  let last = following.after;
  let retry = 2;
  let failures = 0;
  for (let empty = 0; !signal?.aborted; ) {
    let pause = retry;
    const cut = new AbortController();
    const forward = () => cut.abort(signal?.reason);
    signal?.addEventListener("abort", forward, { once: true });
    const unwatch = watch?.(() => cut.abort(new Error("cut")));
    let isOpen = false;
    try {
      const parts = await open(transport, path, last, cut);
      if (!parts) return;
      empty++;
      for await (const part of parts) {
        if (!isOpen) onConnected?.(true);
        isOpen = true;
        empty = failures = 0;
        if ("retry" in part) {
          retry = pause = part.retry / 1000;
          continue;
        }
        yield part;
        last = part.id;
        if (isLast(part)) return;
      }
    } catch (error) {
      if (signal?.aborted) return;
      const isRefusal = error instanceof PochaError;
      if (error instanceof NoStream || (isRefusal && !error.isPassing)) throw error;
      failures++;
      pause = (isRefusal ? error.retryAfter : undefined) ?? Math.max(retry * Number(failures > 1), backoff(failures));
    } finally {
      unwatch?.();
      cut.abort();
      signal?.removeEventListener("abort", forward);
    }
    onConnected?.(false);
    if (empty >= MOST_EMPTY) throw new NoStream(`nothing comes through from ${path}`);
    await rest(pause, signal, wake);
  }
}

/** Open a connection; undefined says that there is nothing more to come. */
async function open(transport: Transport, path: string, last: string | undefined, cut: AbortController): Promise<AsyncIterable<Part> | undefined> {
  if (transport.eventSource) return eventSource(transport, transport.eventSource, path, last, cut);
  const headers = { Accept: "text/event-stream", ...(last === undefined ? {} : { "Last-Event-ID": last }) };
  const response = await once(transport, path, { headers, signal: cut.signal });
  if (response.status === 204) return undefined;
  if (response.status >= 400) throw await problemOf(response);
  if (!response.body) throw new NoStream("fetch does not stream here");
  return parse(watched(response.body, cut));
}

/** Wait before the next connection, until it is worth trying again or `signal` aborts. */
async function rest(seconds: number, signal: AbortSignal | undefined, wake: Following["wake"]): Promise<void> {
  const sleeping = new AbortController();
  const stop = () => sleeping.abort();
  signal?.addEventListener("abort", stop, { once: true });
  try {
    await Promise.race([sleep(seconds, sleeping.signal), ...(wake ? [wake()] : [])]);
  } catch {
    // Aborted: the caller sees it by its signal.
  } finally {
    signal?.removeEventListener("abort", stop);
    sleeping.abort();
  }
}

/** Yield the text of a body; cut the connection when it falls silent. */
async function* watched(body: ReadableStream<Uint8Array>, cut: AbortController): AsyncGenerator<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const aborted = new Promise<never>((_, reject) => {
    cut.signal.addEventListener("abort", () => reject(cut.signal.reason as Error), { once: true });
  });
  aborted.catch(() => undefined);
  try {
    for (let patience = FIRST_SECONDS; ; patience = SILENCE_SECONDS) {
      const timer = setTimeout(() => cut.abort(new Error("silence")), patience * 1000);
      try {
        const { done, value } = await Promise.race([reader.read(), aborted]);
        if (done) return;
        yield decoder.decode(value, { stream: true });
      } finally {
        clearTimeout(timer);
      }
    }
  } finally {
    reader.cancel().catch(() => undefined);
  }
}

/** Yield the frames in pieces of text, and the pauses that the service asks for. */
export async function* parse(pieces: AsyncIterable<string>): AsyncGenerator<Part> {
  let rest = "";
  let frame: Partial<Frame> = {};
  for await (const piece of pieces) {
    const text = rest + piece;
    const held = text.endsWith("\r") ? "\r" : ""; // its line feed may be in the next piece
    const lines = text.slice(0, text.length - held.length).split(/\r\n|\n|\r/);
    rest = (lines.pop() ?? "") + held;
    for (const line of lines) {
      if (line === "") {
        if (frame.data !== undefined) yield { id: "", event: "message", ...frame } as Frame;
        frame = {};
        continue;
      }
      const colon = line.indexOf(":");
      const field = colon < 0 ? line : line.slice(0, colon);
      const value = colon < 0 ? "" : line.slice(colon + (line[colon + 1] === " " ? 2 : 1));
      if (field === "retry") yield { retry: Number(value) };
      else if (field === "data") frame.data = frame.data === undefined ? value : `${frame.data}\n${value}`;
      else if (field === "id" || field === "event") frame[field] = value;
    }
  }
}
