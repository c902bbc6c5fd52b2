import { generate } from "./vendor/lean-qr.js";
import { t } from "./i18n.js";
import { h, useEffect, useMemo, useRef, useState } from "./vendor/preact.js";
export function Dialog({ title, children, onClose, class: name }) {
    const dialog = useRef(null);
    useEffect(() => {
        const shown = dialog.current;
        shown?.showModal();
        return () => shown?.close();
    }, []);
    return (h("dialog", { ref: dialog, class: name ?? "", "aria-label": title, onClose: onClose, onClick: (event) => event.target === dialog.current && dialog.current?.close() },
        h("div", { class: "dialog-box" },
            h("header", null,
                h("h2", null, title),
                h("button", { class: "icon", "aria-label": t("close"), onClick: () => dialog.current?.close() }, "\u00D7")),
            h("div", { class: "dialog-body" }, children))));
}
export function useWidth() {
    const [width, setWidth] = useState(innerWidth);
    useEffect(() => {
        const changed = () => setWidth(innerWidth);
        addEventListener("resize", changed);
        return () => removeEventListener("resize", changed);
    }, []);
    return width;
}
const ICONS = {
    sheet: "M5 3.50h14v17H5zM8.5 8h7M8.5 12h7M8.5 16h4",
    leave: "M14 4H5v16h9M10 12h11M17 8l4 4-4 4",
    sounds: "M4 9.50h3.500L12 5.50v13l-4.5-4H4zM15.5 9q2 3 0 6M18.5 6.50q4 5.5 0 11",
    silence: "M4 9.50h3.500L12 5.50v13l-4.5-4H4zM16 9.50l5 5M21 9.50l-5 5",
    motion: "M3 8q4.5-5 9 0t9 0M3 16q4.5-5 9 0t9 0",
    still: "M3 8h18M3 16h18",
    settings: "M4 7h9M17 7h3M4 17h3M11 17h9M13 4.5v5M7 14.5v5",
    say: "M4 5h16v11H11l-5 4v-4H4zM8 9h8M8 12.50h5",
    back: "M14.5 5l-7 7 7 7",
};
export function Icon({ name }) {
    return (h("svg", { viewBox: "0 0 24 24", width: "24", height: "24", fill: "none", stroke: "currentColor", "stroke-width": "1.9", "stroke-linecap": "round", "stroke-linejoin": "round", "aria-hidden": "true" },
        h("path", { d: ICONS[name] })));
}
export function Avatar({ name, seat, isRobot }) {
    return (h("span", { class: `avatar tint-${seat}`, "aria-hidden": "true" }, isRobot ? (h("svg", { viewBox: "0 0 24 24", width: "60%", height: "60%", fill: "none", stroke: "currentColor", "stroke-width": "1.8", "stroke-linejoin": "round", "stroke-linecap": "round" },
        h("path", { d: "M5 9h14v10H5zM12 9V5M9 19v2M15 19v2M2.5 12.50v3M21.5 12.50v3" }),
        h("path", { d: "M9 13v.8M15 13v.8M10 16.50h4" }),
        h("circle", { cx: "12", cy: "4", r: "1.2" }))) : ([...name][0]?.toUpperCase())));
}
export function Choice({ label, value, options, onChange, name }) {
    return (h("label", { class: "field" },
        h("span", null, label),
        h("select", { name: name, value: value, onChange: (event) => onChange((typeof value === "number" ? Number(event.currentTarget.value) : event.currentTarget.value)) }, options.map(([option, text]) => (h("option", { key: option, value: option, selected: option === value }, text))))));
}
export function QrCode({ text }) {
    const { size, path } = useMemo(() => {
        const code = generate(text);
        let squares = "";
        for (let y = 0; y < code.size; y++)
            for (let x = 0; x < code.size; x++)
                if (code.get(x, y))
                    squares += `M${x} ${y}h1v1h-1z`;
        return { size: code.size, path: squares };
    }, [text]);
    return (h("svg", { class: "qr", role: "img", "aria-label": t("qr"), viewBox: `-3 -3 ${size + 6} ${size + 6}`, "shape-rendering": "crispEdges" },
        h("rect", { x: "-3", y: "-3", width: size + 6, height: size + 6, fill: "#fff" }),
        h("path", { d: path, fill: "#111" })));
}
export function Invitation({ address }) {
    const [isCopied, setCopied] = useState(false);
    const field = useRef(null);
    const copy = async () => {
        field.current?.select();
        try {
            await navigator.clipboard.writeText(address);
        }
        catch {
            document.execCommand("copy");
        }
        setCopied(true);
    };
    return (h("div", { class: "invitation" },
        h("input", { ref: field, readOnly: true, value: address, "aria-label": t("invite"), onFocus: (event) => event.currentTarget.select() }),
        h("button", { class: "primary", onClick: () => void copy() }, isCopied ? `✓ ${t("copied")}` : t("copy")),
        "share" in navigator && h("button", { onClick: () => void navigator.share({ title: t("title"), url: address }).catch(() => undefined) }, t("share"))));
}
export function Problem({ text }) {
    return h("p", { class: "problem", role: "alert" }, text);
}
