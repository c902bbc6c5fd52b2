// A service for the tests of apps: it answers what a script, or a recording of a real service, says. It knows no rules.
import type { Problem } from "./contract.js";
import type { Frame } from "./stream.js";

/** A request, and what was answered. */
export interface Exchange {
  method: string;
  /** Without its query. */
  path: string;
  body?: unknown;
  status?: number;
  answer?: unknown;
}

interface Answer {
  status: number;
  text: string;
}

/**
 * Answers each request by its method and path: answers in the order of the script, the last one again and again. `fetch` is for the options of
 * `Pocha`; `requests` are those so far. What is not in the script is a `PochaError` with the code `not-scripted`.
 */
export class FakePocha {
  readonly requests: Pick<Exchange, "method" | "path" | "body">[] = [];
  readonly #script = new Map<string, Answer[]>();

  constructor(exchanges: Iterable<Exchange> = []) {
    for (const { method, path, answer, status } of exchanges) this.answer(method, path, answer, status);
  }

  /** Answer a request with this JSON value. */
  answer(method: string, path: string, answer?: unknown, status = 200): this {
    return this.#add(method, path, { status, text: answer === undefined || answer === null ? "" : JSON.stringify(answer) });
  }

  /** Answer a request with a problem, which may have further members, such as `legal_cards`. */
  refuse(method: string, path: string, problem: Pick<Problem, "status" | "code"> & Record<string, unknown>): this {
    return this.answer(method, path, { type: "about:blank", title: problem.code, detail: problem.code, ...problem }, problem.status);
  }

  /** Send these frames to who opens the stream; who opens it again hears that there are no more. */
  stream(path: string, frames: Iterable<Frame>): this {
    const text = Array.from(frames, ({ id, event, data }) => `id: ${id}\nevent: ${event}\ndata: ${data}\n\n`).join("");
    return this.#add("GET", path, { status: 200, text }).#add("GET", path, { status: 204, text: "" });
  }

  readonly fetch: typeof fetch = async (address, init) => {
    const request = requestOf(address, init);
    this.requests.push(request);
    const answers = this.#script.get(`${request.method} ${request.path}`) ?? [];
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    if (answer) return new Response(answer.text || null, { status: answer.status });
    const detail = `nothing is scripted for ${request.method} ${request.path}`;
    return Response.json({ type: "about:blank", title: "not-scripted", status: 404, code: "not-scripted", detail }, { status: 404 });
  };

  #add(method: string, path: string, answer: Answer): this {
    const key = `${method} ${path}`;
    this.#script.set(key, [...(this.#script.get(key) ?? []), answer]);
    return this;
  }
}

/** Return a `fetch` that keeps what a service answers in `exchanges`, tokens included. Streams are not kept. */
export function recording(exchanges: Exchange[], service: typeof fetch = fetch): typeof fetch {
  return async (address, init) => {
    const response = await service(address, init);
    if (response.headers.get("Content-Type")?.startsWith("text/event-stream")) return response;
    const text = await response.clone().text();
    exchanges.push({ ...requestOf(address, init), status: response.status, ...(text ? { answer: JSON.parse(text) as unknown } : {}) });
    return response;
  };
}

function requestOf(address: Parameters<typeof fetch>[0], init: RequestInit | undefined): Pick<Exchange, "method" | "path" | "body"> {
  const url = new URL(address instanceof Request ? address.url : address);
  const body = typeof init?.body === "string" ? { body: JSON.parse(init.body) as unknown } : {};
  return { method: init?.method ?? "GET", path: url.pathname, ...body };
}
