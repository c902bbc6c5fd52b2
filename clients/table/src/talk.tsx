// What players say to each other: a few words, shown for a while at the seat of who says them.
import type { Board, ReactionChoice } from "../../typescript/src/index.js";
import { Dialog } from "./parts.js";
import { muted } from "./storage.js";
import { pocha } from "./session.js";
import { seatName, t } from "./i18n.js";
import type { Game } from "./useGame.js";
import { h, useState, type VNode } from "./vendor/preact.js";

/** The words for what may be said, in the order in which they are offered. */
const WORDS: Record<ReactionChoice, string> = {
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

/** Return what a reaction says in words; undefined for one of a later version. */
export function wordsOf(reaction: string): string | undefined {
  const key = WORDS[reaction as ReactionChoice];
  return key && t(key);
}

/** Return the other people at the table. */
export const others = (board: Board) => board.seats.filter(({ seat, player }) => player && seat !== board.my_seat);

export function Talk({ board, game, onClose }: { board: Board; game: Game; onClose: () => void }): VNode {
  const [, draw] = useState(0);
  const say = (reaction: ReactionChoice) => {
    void game.attempt(() => pocha.react(board.game_id, reaction));
    onClose();
  };
  const mute = (player: string, isMuted: boolean) => {
    muted.set(player, isMuted);
    draw((count) => count + 1);
  };
  return (
    <Dialog title={t("say")} onClose={onClose} class="talk">
      <div class="words">
        {(Object.keys(WORDS) as ReactionChoice[]).map((reaction) => <button key={reaction} data-reaction={reaction} onClick={() => say(reaction)}>{wordsOf(reaction)}</button>)}
      </div>
      {others(board).map(({ seat, player }) => player && (
        <label key={seat} class="check">
          <input type="checkbox" name="mute" checked={muted.has(player.player_id)} onChange={(event) => mute(player.player_id, event.currentTarget.checked)} />
          <span>{t("mute", { name: seatName(board, seat) })}</span>
        </label>
      ))}
    </Dialog>
  );
}
