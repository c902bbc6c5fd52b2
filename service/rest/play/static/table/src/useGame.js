import { is, NoAnswer, PochaError } from "../../typescript/src/index.js";
import { Director } from "./director.js";
import { explain, me, pocha } from "./session.js";
import { games } from "./storage.js";
import { useEffect, useRef, useState } from "./vendor/preact.js";
export function useGame(id, onUnknown) {
    const [, draw] = useState(0);
    const again = () => draw((count) => count + 1);
    const state = useRef(null);
    state.current ??= {
        director: new Director(again),
        isConnected: true,
        newest: undefined,
        clockOffset: 0,
        pending: undefined,
        isUnanswered: false,
        rules: undefined,
        scheduled: undefined,
        problem: undefined,
        isUnknown: false,
    };
    const game = state.current;
    useEffect(() => {
        const stop = new AbortController();
        const readRules = async () => {
            try {
                const { ruleset, schedule } = await pocha.gameRuleset(id);
                game.rules = ruleset;
                game.scheduled = schedule.hands.length;
                again();
            }
            catch {
            }
        };
        const follow = async () => {
            await pocha.flush();
            for await (const step of pocha.follow(id, { signal: stop.signal, wake: comesBack, watch: goesAway, onConnected, onReaction })) {
                if (step.isSnapshot || !step.before || step.board.version - step.before.version === 1)
                    game.clockOffset = Date.parse(step.board.server_time) - Date.now();
                if (!game.rules && !game.newest)
                    void readRules();
                if (step.board.version !== game.newest?.version)
                    game.pending = undefined;
                game.newest = step.board;
                if (step.board.my_seat !== undefined || step.before === undefined)
                    games.add(id);
                game.director.take(step);
                again();
            }
        };
        const sendAgain = async () => {
            await pocha.flush();
            if (game.isUnanswered)
                game.pending = undefined;
            game.isUnanswered = false;
            again();
        };
        const onReaction = (reaction) => game.director.hear(reaction);
        const onConnected = (isConnected) => {
            if (isConnected && !game.isConnected)
                void sendAgain();
            game.isConnected = isConnected;
            again();
        };
        follow().catch((error) => {
            if (stop.signal.aborted)
                return;
            game.isUnknown = true;
            game.problem = explain(error);
            if (error instanceof PochaError && error.status === 401 && me())
                onUnknown();
            again();
        });
        return () => {
            stop.abort();
            game.director.stop();
            state.current = null;
        };
    }, [id]);
    const attempt = async (action) => {
        game.problem = undefined;
        try {
            await action();
        }
        catch (error) {
            game.problem = explain(error);
        }
        again();
    };
    const move = async (made) => {
        const board = game.newest;
        if (!board || game.pending)
            return;
        game.pending = made;
        again();
        await attempt(async () => {
            try {
                await pocha.move(id, board.version, made);
            }
            catch (error) {
                if (error instanceof NoAnswer && !game.isConnected) {
                    game.isUnanswered = true;
                    return;
                }
                game.pending = undefined;
                if (!is(error, "version-conflict"))
                    throw error;
            }
        });
    };
    const clearProblem = () => {
        game.problem = undefined;
        again();
    };
    return { ...game, move, attempt, clearProblem };
}
function goesAway(cut) {
    addEventListener("offline", cut);
    return () => removeEventListener("offline", cut);
}
function comesBack() {
    return new Promise((resolve) => {
        const stop = new AbortController();
        const back = () => {
            if (document.hidden)
                return;
            stop.abort();
            resolve();
        };
        addEventListener("online", back, { signal: stop.signal });
        document.addEventListener("visibilitychange", back, { signal: stop.signal });
    });
}
