import { eventSource } from "./eventSource.js";
import { backoff, once, problemOf, sleep } from "./http.js";
import { PochaError } from "./problems.js";
export class NoStream extends Error {
    name = "NoStream";
}
const SILENCE_SECONDS = 45;
const FIRST_SECONDS = 10;
const MOST_EMPTY = 2;
export async function* frames(transport, path, isLast, following) {
    const { signal, onConnected, wake, watch } = following;
    let last = following.after;
    let retry = 2;
    let failures = 0;
    for (let empty = 0; !signal?.aborted;) {
        let pause = retry;
        const cut = new AbortController();
        const forward = () => cut.abort(signal?.reason);
        signal?.addEventListener("abort", forward, { once: true });
        const unwatch = watch?.(() => cut.abort(new Error("cut")));
        let isOpen = false;
        try {
            const parts = await open(transport, path, last, cut);
            if (!parts)
                return;
            empty++;
            for await (const part of parts) {
                if (!isOpen)
                    onConnected?.(true);
                isOpen = true;
                empty = failures = 0;
                if ("retry" in part) {
                    retry = pause = part.retry / 1000;
                    continue;
                }
                yield part;
                last = part.id;
                if (isLast(part))
                    return;
            }
        }
        catch (error) {
            if (signal?.aborted)
                return;
            const isRefusal = error instanceof PochaError;
            if (error instanceof NoStream || (isRefusal && !error.isPassing))
                throw error;
            failures++;
            pause = (isRefusal ? error.retryAfter : undefined) ?? Math.max(retry * Number(failures > 1), backoff(failures));
        }
        finally {
            unwatch?.();
            cut.abort();
            signal?.removeEventListener("abort", forward);
        }
        onConnected?.(false);
        if (empty >= MOST_EMPTY)
            throw new NoStream(`nothing comes through from ${path}`);
        await rest(pause, signal, wake);
    }
}
async function open(transport, path, last, cut) {
    if (transport.eventSource)
        return eventSource(transport, transport.eventSource, path, last, cut);
    const headers = { Accept: "text/event-stream", ...(last === undefined ? {} : { "Last-Event-ID": last }) };
    const response = await once(transport, path, { headers, signal: cut.signal });
    if (response.status === 204)
        return undefined;
    if (response.status >= 400)
        throw await problemOf(response);
    if (!response.body)
        throw new NoStream("fetch does not stream here");
    return parse(watched(response.body, cut));
}
async function rest(seconds, signal, wake) {
    const sleeping = new AbortController();
    const stop = () => sleeping.abort();
    signal?.addEventListener("abort", stop, { once: true });
    try {
        await Promise.race([sleep(seconds, sleeping.signal), ...(wake ? [wake()] : [])]);
    }
    catch {
    }
    finally {
        signal?.removeEventListener("abort", stop);
        sleeping.abort();
    }
}
async function* watched(body, cut) {
    const reader = body.getReader();
    const decoder = new TextDecoder();
    const aborted = new Promise((_, reject) => {
        cut.signal.addEventListener("abort", () => reject(cut.signal.reason), { once: true });
    });
    aborted.catch(() => undefined);
    try {
        for (let patience = FIRST_SECONDS;; patience = SILENCE_SECONDS) {
            const timer = setTimeout(() => cut.abort(new Error("silence")), patience * 1000);
            try {
                const { done, value } = await Promise.race([reader.read(), aborted]);
                if (done)
                    return;
                yield decoder.decode(value, { stream: true });
            }
            finally {
                clearTimeout(timer);
            }
        }
    }
    finally {
        reader.cancel().catch(() => undefined);
    }
}
export async function* parse(pieces) {
    let rest = "";
    let frame = {};
    for await (const piece of pieces) {
        const text = rest + piece;
        const held = text.endsWith("\r") ? "\r" : "";
        const lines = text.slice(0, text.length - held.length).split(/\r\n|\n|\r/);
        rest = (lines.pop() ?? "") + held;
        for (const line of lines) {
            if (line === "") {
                if (frame.data !== undefined)
                    yield { id: "", event: "message", ...frame };
                frame = {};
                continue;
            }
            const colon = line.indexOf(":");
            const field = colon < 0 ? line : line.slice(0, colon);
            const value = colon < 0 ? "" : line.slice(colon + (line[colon + 1] === " " ? 2 : 1));
            if (field === "retry")
                yield { retry: Number(value) };
            else if (field === "data")
                frame.data = frame.data === undefined ? value : `${frame.data}\n${value}`;
            else if (field === "id" || field === "event")
                frame[field] = value;
        }
    }
}
