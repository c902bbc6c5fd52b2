import { t } from "./i18n.js";
import { Choice } from "./parts.js";
import { h } from "./vendor/preact.js";
const hasSpecials = ({ schedule }) => schedule.blocks.some(({ kind }) => kind !== "normal");
const hasMultipliers = ({ scoring }) => Object.keys({ ...scoring.suit_multiplier, ...scoring.turn_up_multiplier }).length > 0;
const SWITCHES = {
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
export function patchOf(preset, { shape, switches }) {
    const patch = shape && shape !== "full" ? { schedule: { shape } } : {};
    for (const [name, isOn] of Object.entries(switches)) {
        const found = SWITCHES[name];
        if (!found || found.isOn(preset) === isOn)
            continue;
        for (const [part, members] of Object.entries(found.patch(isOn, preset)))
            patch[part] = { ...patch[part], ...members };
    }
    return Object.keys(patch).length ? patch : undefined;
}
export function HouseRules({ preset, changes, onChange }) {
    const shapes = [["full", t("shape_full")], ["no-descent", t("shape_no_descent")], ["top-only", t("shape_top_only")]];
    return (h("details", { class: "house-rules" },
        h("summary", null, t("house_rules")),
        h(Choice, { name: "shape", label: t("shape"), value: changes.shape ?? "full", onChange: (shape) => onChange({ ...changes, shape }), options: shapes }),
        Object.entries(SWITCHES).filter(([, { applies }]) => applies?.(preset) ?? true).map(([name, each]) => (h("label", { key: name, class: "check" },
            h("input", { type: "checkbox", name: name, checked: changes.switches[name] ?? each.isOn(preset), onChange: (event) => onChange({ ...changes, switches: { ...changes.switches, [name]: event.currentTarget.checked } }) }),
            h("span", null, t(each.text)))))));
}
