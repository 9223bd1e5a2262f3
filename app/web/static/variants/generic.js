// @ts-check
/**
 * How a table of any game looks when nobody has written more about it. A game's own file (`<slug>.js` beside this one)
 * overrides single entries; the table asks these and never which game it is.
 */
import { lang, t } from "../i18n.js";
import { name } from "../tiles.js";

/** @typedef {import("../view.js").View} View */
/** @typedef {{text: string, tone?: "hot"|"warn"}} Chip */
/**
 * @typedef {object} Face
 * @property {string} dots the spoken name of suit p
 * @property {number} slots tiles of a full hand
 * @property {string} unit what one deal is called
 * @property {string} amount unit of a wait's price
 * @property {(view: View) => string[]} wilds kinds that are wild in this round
 * @property {(view: View) => Record<string, string>} marks a one-glyph tab by kind
 * @property {(view: View, seat: number) => Chip[]} chips what stands beside a name
 * @property {(view: View) => {label: string, tiles: string[]}} aside what is special in this round
 * @property {(view: View, seat: number, at: number) => string|null} rowMark a tab on one discarded tile
 * @property {(view: View, tile: string) => boolean} dimmed a discarded tile shown dim
 * @property {(decision: any, view: View) => string} ask one sentence above the dock
 * @property {(action: any, view: View) => string|null} label the word on a button; null: the usual one
 * @property {(action: any, view: View) => string|null} price what a choice brings, said before the tap
 * @property {Record<string, string>} kinds names of melds
 * @property {(line: any, names: Record<string, string>) => string} why one sentence about a ledger line
 * @property {(line: any, view: View|null, names: Record<string, string>) => string} how its arithmetic, behind the tap; the view may be gone
 * @property {(win: any, view: View, names: Record<string, string>) => {head: string, sum: string, price: string}} formula
 */

/** A detail token as people read it: a pattern, a set, or a tile. @param {string} token @param {Record<string, string>} names @param {string} dots */
const word = (token, names, dots) => (/^[1-9][mpsz]$/.test(token) ? name(token, lang, dots) : t(names[token] ?? token));

/** Detail tokens with amounts: `平胡 1 · 天听 10`. @param {any[]} detail @param {Record<string, string>} names */
export const tokens = (detail, names, dots = "筒") =>
  (detail ?? []).map(([token, amount]) => `${word(token, names, dots)} ${amount}`).join(" · ");

/** By how much a line was multiplied after its detail was added up: ` ×4`, or nothing. @param {any} line @param {number} base */
export function times(line, base) {
  const sum = (line.detail ?? []).reduce((/** @type {number} */ all, /** @type {[string, number]} */ [, n]) => all + n, 0) * base;
  const factor = sum ? line.points / sum : 1;
  return factor > 1 && Number.isInteger(factor) ? `×${factor}` : "";
}

/** Who pays what by the hand itself. @param {any} win */
const price = (win) =>
  win.source_seat === null || win.source_seat === undefined ? `${t("每家")} ${win.points}` : `${win.points} ${t("分")}`;

/** How the patterns make the points of one payer: `(1 + 10) ×2`. @param {any} win */
function sum(win) {
  const values = win.reading.patterns.map((/** @type {[string, number]} */ [, n]) => n);
  const added = values.length > 1 ? `(${values.join(" + ")})` : String(values[0] ?? "");
  const by = times({ detail: win.reading.patterns, points: win.points }, 1);
  return values.length > 1 || by ? `${added} ${by}`.trim() : "";
}

/** @type {Face} */
export const GENERIC = {
  dots: "筒",
  slots: 14,
  unit: "局",
  amount: "分",
  wilds: () => [],
  marks: () => ({}),
  chips: () => [],
  aside: () => ({ label: "", tiles: [] }),
  rowMark: () => null,
  dimmed: () => false,
  ask: () => "",
  label: () => null,
  price: () => null,
  kinds: {
    kong_exposed: "明杠",
    kong_added: "补杠",
    kong_concealed: "暗杠",
    kong_gold: "金杠",
    kong_late: "杠",
    pair_claim: "将",
    ones: "喜",
    nines: "喜",
    dragons: "喜",
    winds: "喜",
    cover: "扣",
  },
  why: (line, names) => t(names[line.reason] ?? line.reason),
  how: (line, _view, names) => tokens(line.detail, names),
  formula: (win, _view, names) => ({
    head: win.reading.patterns.map((/** @type {[string, number]} */ [p]) => t(names[p] ?? p)).join(t("、")),
    sum: sum(win),
    price: price(win),
  }),
};

/** @type {Record<string, Face>} */
const loaded = {};

/** The face of a variant; a game without a file of its own is played with the generic one. @param {string} slug */
export async function faceOf(slug) {
  if (!loaded[slug]) {
    const own = /^[a-z]+$/.test(slug) ? await import(`./${slug}.js`).catch(() => ({})) : {};
    loaded[slug] = { ...GENERIC, ...own.FACE, kinds: { ...GENERIC.kinds, ...own.FACE?.kinds } };
  }
  return loaded[slug];
}
