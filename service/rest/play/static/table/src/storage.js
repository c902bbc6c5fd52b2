function read(name) {
    try {
        return JSON.parse(localStorage.getItem(`pocha.${name}`) ?? "null") ?? undefined;
    }
    catch {
        return undefined;
    }
}
function write(name, value) {
    try {
        if (value === undefined)
            localStorage.removeItem(`pocha.${name}`);
        else
            localStorage.setItem(`pocha.${name}`, JSON.stringify(value));
    }
    catch {
    }
}
export const player = {
    get: () => read("player"),
    set: (guest) => write("player", guest),
};
export const settings = {
    get: (name) => (read("settings") ?? {})[name],
    set: (changes) => write("settings", { ...read("settings"), ...changes }),
};
export const outbox = {
    list: () => read("outbox") ?? [],
    put: (command) => write("outbox", [...outbox.list().filter(({ key }) => key !== command.key), command]),
    remove: (key) => write("outbox", outbox.list().filter((command) => command.key !== key)),
};
const KEPT_GAMES = 12;
export const games = {
    list: () => read("games") ?? [],
    add: (id) => write("games", [id, ...games.list().filter((other) => other !== id)].slice(0, KEPT_GAMES)),
    remove: (id) => write("games", games.list().filter((other) => other !== id)),
};
const MOST_MUTED = 100;
export const muted = {
    has: (player) => (read("muted") ?? []).includes(player),
    set: (player, isMuted) => {
        const others = (read("muted") ?? []).filter((other) => other !== player);
        write("muted", isMuted ? [player, ...others].slice(0, MOST_MUTED) : others);
    },
};
