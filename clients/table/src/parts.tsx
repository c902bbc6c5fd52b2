// Small parts that several views use.
import { generate } from "./vendor/lean-qr.js";
import { t } from "./i18n.js";
import { h, useEffect, useMemo, useRef, useState, type ComponentChildren, type VNode } from "./vendor/preact.js";

/** A dialog over the page: the browser keeps the focus in it and closes it on Escape. */
export function Dialog({ title, children, onClose, class: name }: { title: string; children: ComponentChildren; onClose: () => void; class?: string }): VNode {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    return () => shown?.close(); // gives the focus back, when a choice closes it too
  }, []);
  return (
    <dialog ref={dialog} class={name ?? ""} aria-label={title} onClose={onClose} onClick={(event) => event.target === dialog.current && dialog.current?.close()}>
      <div class="dialog-box">
        <header>
          <h2>{title}</h2>
          <button class="icon" aria-label={t("close")} onClick={() => dialog.current?.close()}>×</button>
        </header>
        <div class="dialog-body">{children}</div>
      </div>
    </dialog>
  );
}

/** Return the width of the window in pixels, now and whenever it changes. */
export function useWidth(): number {
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

export function Icon({ name }: { name: keyof typeof ICONS }): VNode {
  return (
    <svg viewBox="0 0 24 24" width="24" height="24" fill="none" stroke="currentColor" stroke-width="1.9" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">
      <path d={ICONS[name]} />
    </svg>
  );
}

export function Avatar({ name, seat, isRobot }: { name: string; seat: number; isRobot: boolean }): VNode {
  return (
    <span class={`avatar tint-${seat}`} aria-hidden="true">
      {isRobot ? (
        <svg viewBox="0 0 24 24" width="60%" height="60%" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linejoin="round" stroke-linecap="round">
          <path d="M5 9h14v10H5zM12 9V5M9 19v2M15 19v2M2.5 12.50v3M21.5 12.50v3" />
          <path d="M9 13v.8M15 13v.8M10 16.50h4" />
          <circle cx="12" cy="4" r="1.2" />
        </svg>
      ) : (
        [...name][0]?.toUpperCase()
      )}
    </span>
  );
}

export function Choice<T extends string | number>({ label, value, options, onChange, name }: {
  label: string;
  value: T;
  options: [T, string][];
  onChange: (value: T) => void;
  name: string;
}): VNode {
  return (
    <label class="field">
      <span>{label}</span>
      <select name={name} value={value} onChange={(event) => onChange((typeof value === "number" ? Number(event.currentTarget.value) : event.currentTarget.value) as T)}>
        {options.map(([option, text]) => (
          <option key={option} value={option} selected={option === value}>{text}</option>
        ))}
      </select>
    </label>
  );
}

/** The code of an address, to be opened with a phone. */
export function QrCode({ text }: { text: string }): VNode {
  const { size, path } = useMemo(() => {
    const code = generate(text);
    let squares = "";
    for (let y = 0; y < code.size; y++) for (let x = 0; x < code.size; x++) if (code.get(x, y)) squares += `M${x} ${y}h1v1h-1z`;
    return { size: code.size, path: squares };
  }, [text]);
  return (
    <svg class="qr" role="img" aria-label={t("qr")} viewBox={`-3 -3 ${size + 6} ${size + 6}`} shape-rendering="crispEdges">
      <rect x="-3" y="-3" width={size + 6} height={size + 6} fill="#fff" />
      <path d={path} fill="#111" />
    </svg>
  );
}

/** The address of an invitation, to be copied or shared. */
export function Invitation({ address }: { address: string }): VNode {
  const [isCopied, setCopied] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const copy = async () => {
    field.current?.select();
    try {
      await navigator.clipboard.writeText(address);
    } catch {
      document.execCommand("copy"); // pages without TLS have no clipboard
    }
    setCopied(true);
  };
  return (
    <div class="invitation">
      <input ref={field} readOnly value={address} aria-label={t("invite")} onFocus={(event) => event.currentTarget.select()} />
      <button class="primary" onClick={() => void copy()}>{isCopied ? `✓ ${t("copied")}` : t("copy")}</button>
      {"share" in navigator && <button onClick={() => void navigator.share({ title: t("title"), url: address }).catch(() => undefined)}>{t("share")}</button>}
    </div>
  );
}

export function Problem({ text }: { text: string | undefined }): VNode {
  return <p class="problem" role="alert">{text}</p>;
}
