import { Dialog } from "./parts.js";
import { muted } from "./storage.js";
import { pocha } from "./session.js";
import { seatName, t } from "./i18n.js";
import { h, useState } from "./vendor/preact.js";
const WORDS = {
    hello: "react_hello",
    "good-luck": "react_good_luck",
    "well-played": "react_well_played",
    wow: "react_wow",
    oops: "react_oops",
    sorry: "react_sorry",
    thanks: "react_thanks",
    "hurry-up": "react_hurry_up",
    "good-bye": "react_good_bye",
};
export function wordsOf(reaction) {
    const key = WORDS[reaction];
    return key && t(key);
}
export const others = (board) => board.seats.filter(({ seat, player }) => player && seat !== board.my_seat);
export function Talk({ board, game, onClose }) {
    const [, draw] = useState(0);
    const say = (reaction) => {
        void game.attempt(() => pocha.react(board.game_id, reaction));
        onClose();
    };
    const mute = (player, isMuted) => {
        muted.set(player, isMuted);
        draw((count) => count + 1);
    };
    return (h(Dialog, { title: t("say"), onClose: onClose, class: "talk" },
        h("div", { class: "words" }, Object.keys(WORDS).map((reaction) => h("button", { key: reaction, "data-reaction": reaction, onClick: () => say(reaction) }, wordsOf(reaction)))),
        others(board).map(({ seat, player }) => player && (h("label", { key: seat, class: "check" },
            h("input", { type: "checkbox", name: "mute", checked: muted.has(player.player_id), onChange: (event) => mute(player.player_id, event.currentTarget.checked) }),
            h("span", null, t("mute", { name: seatName(board, seat) })))))));
}
