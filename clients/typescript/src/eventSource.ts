// Streams by EventSource: for hosts whose fetch gives no body to read, such as React Native. A ticket stands for the token, which must be in no URL.
import { send, type Transport } from "./http.js";
import type { StreamTicket } from "./contract.js";
import type { Frame } from "./stream.js";

/** What an `EventSource` has to have. */
export interface EventSourceLike {
  addEventListener(type: string, listener: (message: { data?: string | null; lastEventId?: string | null }) => void): void;
  close(): void;
}
export type EventSourceClass = new (url: string) => EventSourceLike;

const EVENTS = ["snapshot", "commit", "reaction", "game_over", "games", "turn", "started", "ended", "rematch"];

/** Return the frames of one connection, which ends at its first error. EventSource does not show heartbeats: a dead connection goes unnoticed. */
export async function eventSource(
  transport: Transport,
  Source: EventSourceClass,
  address: string,
  last: string | undefined,
  cut: AbortController,
): Promise<AsyncGenerator<Frame>> {
  const [path, asked] = address.split("?");
  const game = /^\/v1\/games\/([^/]+)\/stream$/.exec(path ?? "");
  const wanted = game ? { game_id: game[1] } : {};
  const answer = await send(transport, "/v1/stream-tickets", { method: "POST", body: wanted, signal: cut.signal });
  const { ticket } = (await answer.json()) as StreamTicket;
  const query = new URLSearchParams(asked);
  query.set("ticket", ticket);
  if (last !== undefined) query.set("after", last);
  return received(new Source(`${transport.url}${path}?${query}`), cut.signal);
}

async function* received(source: EventSourceLike, signal: AbortSignal): AsyncGenerator<Frame> {
  const frames: Frame[] = [];
  let isOver = false;
  let wake = () => {};
  const end = () => {
    isOver = true;
    wake();
  };
  for (const event of EVENTS) {
    source.addEventListener(event, ({ data, lastEventId }) => {
      frames.push({ id: lastEventId ?? "", event, data: data ?? "" });
      wake();
    });
  }
  source.addEventListener("error", end);
  signal.addEventListener("abort", end, { once: true });
  try {
    for (;;) {
      for (let frame = frames.shift(); frame; frame = frames.shift()) yield frame;
      if (isOver) return;
      await new Promise<void>((resolve) => (wake = resolve));
    }
  } finally {
    source.close();
  }
}
