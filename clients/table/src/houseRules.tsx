// What tables often change in a preset, as a form: its first values are those of the preset, and what is changed becomes the patch.
import type { RulesetView } from "../../typescript/src/index.js";
import { t } from "./i18n.js";
import { Choice } from "./parts.js";
import { h, type VNode } from "./vendor/preact.js";

type Preset = RulesetView["ruleset"];
export type Patch = Record<string, Record<string, unknown>>;

interface Switch {
  text: string;
  /** Whether the preset has it. */
  isOn(preset: Preset): boolean;
  /** What turns it on or off. */
  patch(isOn: boolean, preset: Preset): Patch;
  /** Whether the preset has anything to turn off. */
  applies?(preset: Preset): boolean;
}

const hasSpecials = ({ schedule }: Preset) => schedule.blocks.some(({ kind }) => kind !== "normal");
const hasMultipliers = ({ scoring }: Preset) => Object.keys({ ...scoring.suit_multiplier, ...scoring.turn_up_multiplier }).length > 0;

const SWITCHES: Record<string, Switch> = {
  specials: { text: "rule_specials", isOn: hasSpecials, applies: hasSpecials, patch: (specials) => ({ schedule: { specials } }) },
  hook: { text: "rule_hook", isOn: ({ bidding }) => bidding.hook.enabled, patch: (enabled) => ({ bidding: { hook: { enabled } } }) },
  multipliers: {
    text: "rule_multipliers",
    isOn: hasMultipliers,
    applies: hasMultipliers,
    patch: () => ({ scoring: { suit_multiplier: null, turn_up_multiplier: null } }),
  },
  slam: {
    text: "rule_slam",
    isOn: ({ scoring }) => scoring.slam_bonus !== undefined,
    patch: (isOn) => ({ scoring: { slam_bonus: isOn ? { min_cards: 5, factor: 2 } : null } }),
  },
  renuncio: {
    text: "rule_renuncio",
    isOn: ({ renuncio }) => renuncio.mode === "penalised",
    patch: (isOn, { renuncio }) => ({ renuncio: isOn ? { mode: "penalised", penalty: renuncio.penalty || 100 } : { mode: "enforced" } }),
  },
  deck: { text: "rule_deck", isOn: ({ deck }) => deck.size === 48, patch: (isOn) => ({ deck: { size: isOn ? 48 : 40 } }) },
};

export type Shape = "full" | "no-descent" | "top-only";
export type Changes = { shape?: Shape; switches: Record<string, boolean> };

/** Return the house rules that the changes make of a preset. */
export function patchOf(preset: Preset, { shape, switches }: Changes): Patch | undefined {
  const patch: Patch = shape && shape !== "full" ? { schedule: { shape } } : {};
  for (const [name, isOn] of Object.entries(switches)) {
    const found = SWITCHES[name];
    if (!found || found.isOn(preset) === isOn) continue;
    for (const [part, members] of Object.entries(found.patch(isOn, preset))) patch[part] = { ...patch[part], ...members };
  }
  return Object.keys(patch).length ? patch : undefined;
}

export function HouseRules({ preset, changes, onChange }: { preset: Preset; changes: Changes; onChange: (changes: Changes) => void }): VNode {
  const shapes: [Shape, string][] = [["full", t("shape_full")], ["no-descent", t("shape_no_descent")], ["top-only", t("shape_top_only")]];
  return (
    <details class="house-rules">
      <summary>{t("house_rules")}</summary>
      <Choice name="shape" label={t("shape")} value={changes.shape ?? "full"} onChange={(shape) => onChange({ ...changes, shape })} options={shapes} />
      {Object.entries(SWITCHES).filter(([, { applies }]) => applies?.(preset) ?? true).map(([name, each]) => (
        <label key={name} class="check">
          <input type="checkbox" name={name} checked={changes.switches[name] ?? each.isOn(preset)} onChange={(event) => onChange({ ...changes, switches: { ...changes.switches, [name]: event.currentTarget.checked } })} />
          <span>{t(each.text)}</span>
        </label>
      ))}
    </details>
  );
}
