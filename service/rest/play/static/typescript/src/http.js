import { NoAnswer, PochaError } from "./problems.js";
const PATIENCE_SECONDS = 10;
const LONGEST_PAUSE = 8;
export async function send(transport, path, request = {}) {
    const tries = transport.tries;
    for (let attempt = 1;; attempt++) {
        let pause = backoff(attempt);
        try {
            const response = await once(transport, path, request);
            if (response.status < 400)
                return response;
            const refused = await problemOf(response);
            if (!refused.isPassing || attempt >= tries)
                throw refused;
            pause = Math.max(pause, refused.retryAfter ?? 0);
        }
        catch (error) {
            if (error instanceof PochaError)
                throw error;
            request.signal?.throwIfAborted();
            if (attempt >= tries)
                throw new NoAnswer(`no answer from ${transport.url}`, { cause: error });
        }
        await sleep(pause, request.signal);
    }
}
export async function once(transport, path, request) {
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
    }
    finally {
        clearTimeout(timer);
        request.signal?.removeEventListener("abort", forward);
    }
}
export async function problemOf(response) {
    const retry = Number(response.headers.get("Retry-After") ?? Number.NaN);
    const text = await response.text();
    const status = response.status;
    let problem = { type: "about:blank", title: response.statusText, status, code: "unknown", detail: response.statusText };
    try {
        problem = { ...problem, ...JSON.parse(text) };
    }
    catch {
    }
    return new PochaError(problem, response.headers.get("X-Request-Id") ?? undefined, Number.isFinite(retry) ? retry : undefined);
}
export function backoff(attempt) {
    return Math.min(LONGEST_PAUSE, 0.3 * 2 ** (attempt - 1)) * (0.5 + Math.random() / 2);
}
export function sleep(seconds, signal) {
    return new Promise((resolve, reject) => {
        if (signal?.aborted)
            return reject(signal.reason);
        const stop = () => {
            clearTimeout(timer);
            reject(signal?.reason);
        };
        const timer = setTimeout(() => {
            signal?.removeEventListener("abort", stop);
            resolve();
        }, seconds * 1000);
        signal?.addEventListener("abort", stop, { once: true });
    });
}
