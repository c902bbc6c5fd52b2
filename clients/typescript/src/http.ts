// Requests with the patience that docs/retries.md asks for.
import type { EventSourceClass } from "./eventSource.js";
import { NoAnswer, PochaError } from "./problems.js";
import type { Problem } from "./contract.js";

export interface Transport {
  /** The address of the service, without `/v1`. */
  readonly url: string;
  readonly fetch: typeof fetch;
  /** How often a request is sent before `NoAnswer`. */
  readonly tries: number;
  /** What opens streams, instead of `fetch`. */
  readonly eventSource: EventSourceClass | undefined;
  token(): string | undefined;
  language(): string | undefined;
}

export interface Request {
  method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  body?: object | undefined;
  headers?: Record<string, string>;
  signal?: AbortSignal | undefined;
  /** Seconds to wait for an answer. */
  patience?: number;
}

const PATIENCE_SECONDS = 10;
const LONGEST_PAUSE = 8;

/** Send a request, and again while there is no answer or a passing one. Returns answers below 400; throws `PochaError` for others. */
export async function send(transport: Transport, path: string, request: Request = {}): Promise<Response> {
  const tries = transport.tries;
  for (let attempt = 1; ; attempt++) {
    let pause = backoff(attempt);
    try {
      const response = await once(transport, path, request);
      if (response.status < 400) return response;
      const refused = await problemOf(response);
      if (!refused.isPassing || attempt >= tries) throw refused;
      pause = Math.max(pause, refused.retryAfter ?? 0);
    } catch (error) {
      if (error instanceof PochaError) throw error;
      request.signal?.throwIfAborted();
      if (attempt >= tries) throw new NoAnswer(`no answer from ${transport.url}`, { cause: error });
    }
    await sleep(pause, request.signal);
  }
}

/** Send a request once, and return any answer whose head came in time. */
export async function once(transport: Transport, path: string, request: Request): Promise<Response> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(new Error("no answer in time")), (request.patience ?? PATIENCE_SECONDS) * 1000);
  const forward = () => late.abort(request.signal?.reason);
  request.signal?.throwIfAborted();
  request.signal?.addEventListener("abort", forward, { once: true });
  try {
    const token = transport.token();
    const language = transport.language();
    return await transport.fetch(`${transport.url}${path}`, {
      method: request.method ?? "GET",
      headers: {
        ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
        ...(language === undefined ? {} : { "Accept-Language": language }),
        ...(request.body === undefined ? {} : { "Content-Type": "application/json" }),
        ...request.headers,
      },
      ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
      cache: "no-store",
      signal: late.signal,
    });
  } finally {
    clearTimeout(timer);
    // A stream's body goes on: its reader takes care of the caller's signal.
    request.signal?.removeEventListener("abort", forward);
  }
}

/** Return the refusal that an answer is. */
export async function problemOf(response: Response): Promise<PochaError> {
  const retry = Number(response.headers.get("Retry-After") ?? Number.NaN);
  const text = await response.text();
  const status = response.status;
  let problem: Problem = { type: "about:blank", title: response.statusText, status, code: "unknown", detail: response.statusText };
  try {
    problem = { ...problem, ...(JSON.parse(text) as Partial<Problem>) };
  } catch {
    // A proxy's page, not the service's.
  }
  return new PochaError(problem, response.headers.get("X-Request-Id") ?? undefined, Number.isFinite(retry) ? retry : undefined);
}

/** Return the seconds of a growing pause, with jitter so that clients do not come back all at once. */
export function backoff(attempt: number): number {
  return Math.min(LONGEST_PAUSE, 0.3 * 2 ** (attempt - 1)) * (0.5 + Math.random() / 2);
}

/** Wait; rejects when `signal` aborts. */
export function sleep(seconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason as Error);
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, seconds * 1000);
    signal?.addEventListener("abort", stop, { once: true });
  });
}
