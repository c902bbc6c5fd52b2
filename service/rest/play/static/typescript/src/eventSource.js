import { send } from "./http.js";
const EVENTS = ["snapshot", "commit", "reaction", "game_over", "games", "turn", "started", "ended", "rematch"];
export async function eventSource(transport, Source, address, last, cut) {
    const [path, asked] = address.split("?");
    const game = /^\/v1\/games\/([^/]+)\/stream$/.exec(path ?? "");
    const wanted = game ? { game_id: game[1] } : {};
    const answer = await send(transport, "/v1/stream-tickets", { method: "POST", body: wanted, signal: cut.signal });
    const { ticket } = (await answer.json());
    const query = new URLSearchParams(asked);
    query.set("ticket", ticket);
    if (last !== undefined)
        query.set("after", last);
    return received(new Source(`${transport.url}${path}?${query}`), cut.signal);
}
async function* received(source, signal) {
    const frames = [];
    let isOver = false;
    let wake = () => { };
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
            for (let frame = frames.shift(); frame; frame = frames.shift())
                yield frame;
            if (isOver)
                return;
            await new Promise((resolve) => (wake = resolve));
        }
    }
    finally {
        source.close();
    }
}
