// The Spanish pack, drawn. The frame of a card is broken once for copas, twice for espadas, three times for bastos (the pintas), so that
// suits differ by shape, by frame and by colour.
import type { Card, Suit } from "../../typescript/src/index.js";
import { cardName, split, t } from "./i18n.js";
import { Fragment, h, type VNode } from "./vendor/preact.js";

const GAPS: Record<Suit, number[]> = { oros: [], copas: [50], espadas: [34, 66], bastos: [26, 50, 74] };
const INKS: Record<Suit, { ink: string; cloth: string; dark: string; light: string }> = {
  oros: { ink: "#8a5a00", cloth: "#c8861a", dark: "#7a4a08", light: "#ffe08a" },
  copas: { ink: "#a3231b", cloth: "#c23a2c", dark: "#7d1c17", light: "#ffd0b5" },
  espadas: { ink: "#174f86", cloth: "#2b6cab", dark: "#143f6b", light: "#cfe4f7" },
  bastos: { ink: "#2c5f1f", cloth: "#3f7d2d", dark: "#234f1b", light: "#d5edb8" },
};

/** The places of the suit signs on the cards 1 to 9: x, y, size. */
const PIPS: Record<number, [number, number, number][]> = {
  1: [[50, 78, 66]],
  2: [[50, 46, 44], [50, 110, 44]],
  3: [[50, 38, 35], [50, 78, 35], [50, 118, 35]],
  4: [[31, 54, 34], [69, 54, 34], [31, 102, 34], [69, 102, 34]],
  5: [[30, 47, 29], [70, 47, 29], [50, 78, 29], [30, 109, 29], [70, 109, 29]],
  6: [[31, 46, 28], [69, 46, 28], [31, 78, 28], [69, 78, 28], [31, 110, 28], [69, 110, 28]],
  7: [[30, 47, 26], [70, 47, 26], [50, 62, 26], [30, 80, 26], [70, 80, 26], [30, 112, 26], [70, 112, 26]],
  8: [[31, 45, 24], [69, 45, 24], [31, 68, 24], [69, 68, 24], [31, 91, 24], [69, 91, 24], [31, 114, 24], [69, 114, 24]],
  9: [[27, 47, 23], [50, 47, 23], [73, 47, 23], [27, 78, 23], [50, 78, 23], [73, 78, 23], [27, 109, 23], [50, 109, 23], [73, 109, 23]],
};

/** The signs of the suits, once a page: cards refer to them. */
export function Sprite(): VNode {
  return (
    <svg class="sprite" width="0" height="0" aria-hidden="true">
      <symbol id="oros" viewBox="0 0 40 40">
        <circle cx="20" cy="20" r="18" fill="#f2c14e" stroke="#7a4a08" stroke-width="1.8" />
        <circle cx="20" cy="20" r="13.6" fill="none" stroke="#7a4a08" stroke-width="1.2" stroke-dasharray="2.4 1.6" />
        <path fill="#c2571a" stroke="#7a4a08" stroke-width=".7" d="M20 8.6l2.5 6 6-2.6-2.6 6 6 2.4-6 2.5 2.6 6-6-2.6-2.5 6-2.5-6-6 2.6 2.6-6-6-2.5 6-2.4-2.6-6 6 2.6z" />
        <circle cx="20" cy="20.4" r="3.4" fill="#f2c14e" stroke="#7a4a08" stroke-width=".8" />
      </symbol>
      <symbol id="copas" viewBox="0 0 40 40">
        <path fill="#d0402f" stroke="#6d1611" stroke-width="1.6" stroke-linejoin="round" d="M8 6h24c.8 9.5-3 15.8-9.3 18l-.4 5.6 6 2.8v3.8H11.70v-3.80l6-2.8-.4-5.600C11 21.8 7.2 15.5 8 6z" />
        <path fill="#f6cf6b" stroke="#6d1611" stroke-width="1" d="M6.8 3.40h26.40v4.400H6.80z" />
        <path fill="#f6cf6b" stroke="#6d1611" stroke-width=".8" d="M20 11.50l3.6 4-3.6 4.2-3.6-4.20z" />
        <path stroke="#f6cf6b" stroke-width="1.6" d="M14 33.60h12" />
      </symbol>
      <symbol id="espadas" viewBox="0 0 40 40">
        <g transform="rotate(40 20 20)">
          <path fill="#a9cdee" stroke="#143f6b" stroke-width="1.5" stroke-linejoin="round" d="M20-3l3.4 6v22h-6.800V3z" />
          <path stroke="#143f6b" stroke-width="1" d="M20 3v21" />
          <path fill="#e8b93c" stroke="#143f6b" stroke-width="1.2" stroke-linejoin="round" d="M10.5 24.50q-2.5 0-2.5 2.50t2.5 2.50h19q2.5 0 2.5-2.50t-2.5-2.50z" />
          <path fill="#9b4a2a" stroke="#143f6b" stroke-width="1" d="M18 29.50h4v7h-4z" />
          <circle cx="20" cy="39" r="3.2" fill="#e8b93c" stroke="#143f6b" stroke-width="1.2" />
        </g>
      </symbol>
      <symbol id="bastos" viewBox="0 0 40 40">
        <g transform="rotate(38 20 20)" stroke="#234f1b" stroke-width="1.5" stroke-linejoin="round">
          <path fill="#6aa23f" d="M15-1q5-3.5 10 0 2.5 4 .5 8l1 5-1.5 5 .5 6-1 6 .3 8q-4.8 3.5-9.6 0l.3-8-1-6 .5-6-1.5-5 1-5q-2-4 .5-8z" />
          <path fill="#b7e08a" stroke-width="1" d="M17.5 1.50q2.5-1.6 5 0-2.5 2-5 0z" />
          <path fill="#a9772f" d="M25.3 9.50l4.5-2.4 1 3-5.4 3.60zM14.8 17.50l-4.7-2-.9 3 5.5 3.20zM25.3 24.50l4.3-1.5.8 3-5 2.60z" />
          <path fill="none" stroke-width="1" d="M18.5 10v5M21.8 19v6M18.6 29v4" />
        </g>
      </symbol>
    </svg>
  );
}

export function SuitSign({ suit, size }: { suit: Suit; size?: number }): VNode {
  return (
    <svg class="suit" viewBox="0 0 40 40" width={size ?? 20} height={size ?? 20} aria-hidden="true">
      <use href={`#${suit}`} />
    </svg>
  );
}

function Sign({ suit, x, y, size }: { suit: Suit; x: number; y: number; size: number }): VNode {
  return <use href={`#${suit}`} x={x - size / 2} y={y - size / 2} width={size} height={size} />;
}

/** The frame, from 8 to 92 and 8 to 148, with the gaps of the suit at the top and the bottom. */
function frame(suit: Suit): string {
  const edge = (y: number) => {
    let path = `M12 ${y}`;
    for (const gap of GAPS[suit]) path += `H${gap - 5}M${gap + 5} ${y}`;
    return `${path}H88`;
  };
  return `${edge(8)}${edge(148)}M8 12V144M92 12V144M12 8q-4 0-4 4M88 8q4 0 4 4M8 144q0 4 4 4M92 144q0 4-4 4`;
}

function King({ suit }: { suit: Suit }): VNode {
  const { cloth, dark, light } = INKS[suit];
  return (
    <g stroke={dark} stroke-width="1.4" stroke-linejoin="round" stroke-linecap="round">
      <path fill={cloth} d="M33 80q17-10 34 0l7 60H26z" />
      <path fill={light} d="M43 82h14l4 58H39z" />
      <path fill="none" d="M50 92v46M45 100h10M44 112h12M43 124h14" />
      <path fill="#fffaf0" d="M31 79q19-13 38 0l2 10q-21-9-42 0z" />
      <path fill="none" stroke-width="2" d="M37 83v.1M44 80.50v.1M56 80.50v.1M63 83v.1" />
      <path fill={cloth} d="M30 86q-9 12-6 26l9 1 3-18z" />
      <circle cx="28.5" cy="114" r="4.5" fill="#f3c9a0" />
      <path fill="#7b5230" d="M38 56q-1 24 12 26 13-2 12-26z" />
      <circle cx="50" cy="58" r="10.5" fill="#f3c9a0" />
      <path fill="#7b5230" d="M40 61q3 17 10 18 7-1 10-18-4 5-10 4.5-6 .5-10-4.50z" />
      <path fill="none" d="M46 67.50q4 2 8 0" stroke="#5b2a18" />
      <path stroke="#3a2412" stroke-width="2.2" d="M46 56v.6M54 56v.6" />
      <path fill="#f2c14e" d="M38 50l-3-18 8 8 7-12 7 12 8-8-3 18q-12-4-24 0z" />
      <path stroke="none" fill="#c23a2c" d="M48 43h4v4h-4z" />
      <path fill={cloth} d="M66 86q10 4 9 15l-7 2-6-8z" />
      <circle cx="73" cy="103" r="4.3" fill="#f3c9a0" />
      <Sign suit={suit} x={74} y={88} size={28} />
    </g>
  );
}

function Knave({ suit }: { suit: Suit }): VNode {
  const { cloth, dark, light } = INKS[suit];
  return (
    <g stroke={dark} stroke-width="1.4" stroke-linejoin="round" stroke-linecap="round">
      <path fill={light} d="M39 106h9l-1 28h-7zM52 106h9l-1 28h-7z" />
      <path fill={dark} d="M39 132h9v6H33q0-5 6-6zM53 132h8q6 1 6 6H53z" />
      <path fill={cloth} d="M37 76q13-7 26 0l7 33H30z" />
      <path fill={light} d="M46 75h8l1 34h-10z" />
      <path fill="#f2c14e" d="M33.5 94h33l.8 5H32.70z" />
      <path fill="#fffaf0" d="M41 74q9 7 18 0l2 5q-11 7-22 0z" />
      <path fill={cloth} d="M38 78q-10 6-12 20l7 3 8-12z" />
      <circle cx="29" cy="102" r="4.3" fill="#f3c9a0" />
      <path fill="#a36a2c" d="M38 50q-2 20 3 22l18 0q5-2 3-22z" />
      <circle cx="50" cy="59" r="10.5" fill="#f3c9a0" />
      <path fill="#a36a2c" d="M39.5 57q3-7 10.5-7t10.5 7q2-12-10.5-13-12.5 1-10.5 13z" />
      <path stroke="#3a2412" stroke-width="2.2" d="M46 59v.6M54 59v.6" />
      <path fill="none" stroke="#a8412f" d="M47 65q3 2 6 0" />
      <path fill={cloth} d="M35 49q2-12 16-12t16 11q-16-5-32 1z" />
      <path fill={light} d="M60 40q8-12 16-10-1 9-12 14z" />
      <path fill={cloth} d="M62 78q11 3 12 16l-7 3-7-9z" />
      <circle cx="71" cy="97" r="4.3" fill="#f3c9a0" />
      <Sign suit={suit} x={74} y={80} size={28} />
    </g>
  );
}

function Horseman({ suit }: { suit: Suit }): VNode {
  const { cloth, dark, light } = INKS[suit];
  return (
    <g stroke={dark} stroke-width="1.4" stroke-linejoin="round" stroke-linecap="round">
      <path fill="#8a6238" d="M78 98q10 2 8 22-6-4-10-12z" />
      <path fill="#e9d7bd" d="M66 112l4 14-1 12h-6l0-11-6-13zM75 110l4 16-1 12h-6l0-12-5-14zM42 114l-1 12 2 12h-6l-3-13 0-11z" />
      <path fill="#e9d7bd" d="M34 110l-13 4-2 10 5 1 3-7 12 1z" />
      <path fill="#e9d7bd" d="M38 92l-2-14 1-9-4 2-2-4-3 5-14 12q-1 5 4 6l9-3-1 24q3 8 14 8h26q13 0 14-10 0-12-12-14z" />
      <path fill="#8a6238" d="M37 68q9 8 9 25l-6 4q1-12-5-21z" />
      <path stroke="#3a2412" stroke-width="2.2" d="M27 77v.5" />
      <path fill="none" d="M17 84l7-2M22 90l6-9M28 82q10 8 20 8" />
      <path fill={dark} d="M46 92q11-4 22 0l2 14H46z" />
      <path fill={cloth} d="M46 66q9-6 19 0l4 27q-12 6-24 0z" />
      <path fill={light} d="M53 64h6l1 31h-8z" />
      <path fill="#f2c14e" d="M45.5 88q11 4 23 0v4q-12 4-24 0z" />
      <path fill={light} d="M52 94l-4 20 8 1 8-20z" />
      <path fill={dark} d="M48 112l-3 8 11 1 1-8z" />
      <path fill="#a36a2c" d="M45 46q-1 14 3 17h15q4-4 3-17z" />
      <circle cx="55.5" cy="52" r="9" fill="#f3c9a0" />
      <path stroke="#3a2412" stroke-width="2" d="M51.5 52v.5M58.5 52v.5" />
      <path fill="none" stroke="#a8412f" d="M52.5 57q2.5 1.6 5 0" />
      <path fill={cloth} d="M43 45q3-10 13-10t13 10q-13-5-26 0z" />
      <path fill={light} d="M62 37q6-10 14-9-1 8-11 13z" />
      <path fill={cloth} d="M64 68q10 2 12 12l-6 4-8-7z" />
      <circle cx="74.5" cy="83" r="4" fill="#f3c9a0" />
      <Sign suit={suit} x={76} y={66} size={26} />
    </g>
  );
}

/** A card, face up, or face down without `card`. Not told to screen readers: what holds it tells its name. */
export function CardFace({ card }: { card?: Card | undefined }): VNode {
  if (!card) return <CardBack />;
  const [suit, number] = split(card);
  const { ink } = INKS[suit];
  const figure = { 10: Knave, 11: Horseman, 12: King }[number];
  const corner = (
    <>
      <text x="21" y="31" fill={ink} class="index">{number}</text>
      {(number < 4 || figure) && <use href={`#${suit}`} x="13" y="35" width="16" height="16" />}
    </>
  );
  return (
    <svg class="card-face" viewBox="0 0 100 156" aria-hidden="true" focusable="false">
      <rect x="1" y="1" width="98" height="154" rx="8" fill="#fffdf6" stroke="#b9ae97" stroke-width="1.5" />
      <path d={frame(suit)} fill="none" stroke={ink} stroke-width="1.8" />
      {figure ? h(figure, { suit }) : (PIPS[number] ?? []).map(([x, y, size]) => <Sign key={`${x}-${y}`} suit={suit} x={x} y={y} size={size} />)}
      {corner}
      <g transform="rotate(180 50 78)">
        {corner}
      </g>
    </svg>
  );
}

function CardBack(): VNode {
  return (
    <svg class="card-face" viewBox="0 0 100 156" aria-hidden="true" focusable="false">
      <rect x="1" y="1" width="98" height="154" rx="8" fill="#fffdf6" stroke="#b9ae97" stroke-width="1.5" />
      <rect x="8" y="8" width="84" height="140" rx="5" fill="#7c2230" />
      <path fill="none" stroke="#e6b86a" stroke-width="1.3" d="M13 13h74v130H13zM50 22l28 56-28 56-28-56zM50 42l18 36-18 36-18-36zM13 13l28 46M87 13L59 59M13 143l28-46M87 143L59 97" />
      <circle cx="50" cy="78" r="9" fill="#e6b86a" />
      <path fill="#7c2230" d="M50 71l2 5 5 2-5 2-2 5-2-5-5-2 5-2z" />
    </svg>
  );
}

/** A card that lies somewhere, told by its name. */
export function PlacedCard({ card, class: name }: { card?: Card | undefined; class?: string }): VNode {
  return (
    <span class={`card ${name ?? ""}`} role="img" aria-label={card ? cardName(card) : t("card_back")}>
      <CardFace card={card} />
    </span>
  );
}
