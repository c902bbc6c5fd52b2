// Server-sent events by fetch: EventSource cannot send the Authorization header.
import { backoff, once, problemOf, sleep, type Transport } from "./http.js";

export interface Frame {
  id: string;
  event: string;
  data: string;
}

/** Nothing at all for so long, not even a heartbeat: the connection is dead. */
const SILENCE_SECONDS = 45;

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
}

/** Yield the frames of a stream, over as many connections as it takes, until it answers 204 or `isLast` says so. */
export async function* frames(transport: Transport, path: string, isLast: (frame: Frame) => boolean, following: Following): AsyncGenerator<Frame> {
  const { signal, onConnected, wake, watch } = following;
  let last = following.after;
  let retry = 2;
  for (let failures = 0; !signal?.aborted; ) {
    let pause = retry;
    const cut = new AbortController();
    const forward = () => cut.abort(signal?.reason);
    signal?.addEventListener("abort", forward, { once: true });
    const unwatch = watch?.(() => cut.abort(new Error("cut")));
    try {
      const headers = { Accept: "text/event-stream", ...(last === undefined ? {} : { "Last-Event-ID": last }) };
      const response = await once(transport, path, { headers, signal: cut.signal });
      if (response.status === 204) return;
      if (response.status >= 400) {
        const refused = await problemOf(response);
        if (refused.status < 500 && refused.status !== 429) throw refused;
        pause = refused.retryAfter ?? backoff(++failures);
      } else if (response.body) {
        onConnected?.(true);
        failures = 0;
        for await (const part of parse(watched(response.body, cut))) {
          if ("retry" in part) {
            retry = pause = part.retry / 1000;
            continue;
          }
          yield part;
          last = part.id;
          if (isLast(part)) return;
        }
      }
    } catch (error) {
      if (error instanceof Error && error.name === "PochaError") throw error;
      if (signal?.aborted) return;
      pause = Math.max(retry * Number(failures > 0), backoff(++failures));
    } finally {
      unwatch?.();
      cut.abort();
      signal?.removeEventListener("abort", forward);
    }
    onConnected?.(false);
    const sleeping = new AbortController();
    const stop = () => sleeping.abort();
    signal?.addEventListener("abort", stop, { once: true });
    try {
      await Promise.race([sleep(pause, sleeping.signal), ...(wake ? [wake()] : [])]);
    } catch {
      return; // aborted
    } finally {
      signal?.removeEventListener("abort", stop);
      sleeping.abort();
    }
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
    for (;;) {
      const timer = setTimeout(() => cut.abort(new Error("silence")), SILENCE_SECONDS * 1000);
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
export async function* parse(pieces: AsyncIterable<string>): AsyncGenerator<Frame | { retry: number }> {
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
