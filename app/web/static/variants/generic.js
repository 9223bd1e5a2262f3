// @ts-check
/**
 * The face of any game without a file of its own: a word for everything that the kernel can state.
 * A game's own file (`<slug>.js` beside this one) exports `FACE`, the entries that differ, and `EN`, the English of its
 * own texts. Table, lobby and pages ask the face and never which game it is.
 */
import { lang, learn, t } from "../i18n.js";
import { name } from "../tiles.js";
import { split } from "../view.js";

/** @typedef {import("../view.js").View} View */
/** @typedef {{text: string, tone?: "hot"|"warn"}} Chip */
/** An offer: verb, run-together tiles, what tells offers of one verb apart. @typedef {Record<string, any>} Action */
/** A term, its sound in pinyin, its meaning in English. @typedef {[string, string, string]} Term */
/**
 * @typedef {object} Face
 * @property {string|null} short the game's name in the title line; null: its whole name
 * @property {{tile: string, mark?: string, wild?: boolean, tag: string}|null} show its tile and line where games are listed
 * @property {string} dots the spoken name of suit p
 * @property {number} slots tiles of a full hand
 * @property {string} unit what one deal is called
 * @property {string} amount unit of a wait's price
 * @property {(view: View) => string[]} wilds kinds that are wild in this round
 * @property {string} wildGlyph the tab on a wild tile
 * @property {string} wildName what a wild tile is called aloud
 * @property {string} warnLabel the switch for asking before a tile goes that costs more than itself; "": no such tile
 * @property {(view: View, tile: string) => string|null} warnDiscard what discarding this tile costs, said before it goes
 * @property {(view: View) => Record<string, string>} marks a one-glyph tab by kind
 * @property {(view: View, seat: number) => Chip[]} chips what stands beside a name
 * @property {(view: View) => {label: string, tiles: string[]}} aside what is special in this round
 * @property {(view: View, seat: number, at: number) => string|null} rowMark a tab on one discarded tile
 * @property {(view: View, tile: string) => boolean} dimmed a discarded tile shown dim
 * @property {Record<string, string>} words words on the buttons, by their key
 * @property {Record<string, string>} keys letter keys of the buttons, by their key
 * @property {(action: Action) => string} groupKey offers of one key share a button
 * @property {(action: Action, view: View) => string[]} choiceTiles the tiles shown for an offer
 * @property {string} declareAsk what declaring does, said while one picks the tile
 * @property {(decision: any, view: View) => string} ask one sentence above the dock
 * @property {(action: Action, view: View) => string|null} label the word on a button; null: the usual one
 * @property {(action: Action, view: View) => string|null} price what a choice brings, said before the tap
 * @property {Record<string, string>} kinds names of melds
 * @property {Record<string, string>} origins how a win came about
 * @property {Record<string, string>} calls words called out when a set of this kind is laid, in large letters at the seat
 * @property {(event: any) => string|null} callOf the word that an event is called out with
 * @property {Record<string, string>} throws what dice are thrown for
 * @property {string} flipLabel what a tile flipped at the end is called
 * @property {Term[]} glossary terms that stay Chinese on the table, for readers of English
 * @property {(row: any) => string[]} dealing what a row of the dealing record says besides its result
 * @property {(game: string) => string} ladderNote which rounds count for the ladder
 * @property {(level: string) => {tile: string, mark?: string}} levelTile the tile of a level
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

/** The payments for the hand itself. @param {any} win */
const price = (win) =>
  win.source_seat === null || win.source_seat === undefined ? `${t("每家")} ${win.points}` : `${win.points} ${t("分")}`;

/** The arithmetic from patterns to one payer's points: `(1 + 10) ×2`. @param {any} win */
function sum(win) {
  const values = win.reading.patterns.map((/** @type {[string, number]} */ [, n]) => n);
  const added = values.length > 1 ? `(${values.join(" + ")})` : String(values[0] ?? "");
  const by = times({ detail: win.reading.patterns, points: win.points }, 1);
  return values.length > 1 || by ? `${added} ${by}`.trim() : "";
}

/** Tiles that levels may be named after. @type {Record<string, string>} */
const NAMED = { 白板: "5z", 东风: "1z", 南风: "2z", 西风: "3z", 北风: "4z", 中: "7z", 发: "6z" };

/** @type {Face} */
export const GENERIC = {
  short: null,
  show: null,
  dots: "筒",
  slots: 14,
  unit: "局",
  amount: "分",
  wilds: () => [],
  wildGlyph: "赖",
  wildName: "赖子",
  warnLabel: "",
  warnDiscard: () => null,
  marks: () => ({}),
  chips: () => [],
  aside: () => ({ label: "", tiles: [] }),
  rowMark: () => null,
  dimmed: () => false,
  words: {
    win: "胡",
    kong: "杠",
    extend: "补",
    pong: "碰",
    chow: "吃",
    pair_claim: "将",
    cover: "扣",
    light: "亮",
    pass: "过",
    declare: "报听",
  },
  keys: {
    win: "h",
    kong: "g",
    pong: "p",
    chow: "c",
    pass: "Escape",
    light: "l",
    cover: "k",
    pair_claim: "j",
    declare: "r",
    extend: "b",
  },
  /** Kongs and added kongs are one button; answers before the deal have one each. */
  groupKey(action) {
    if (action.verb === "kong" || action.verb === "extend") return "kong";
    if (action.verb === "discard") return action.choice ? "declare" : "discard";
    if (action.verb === "sit" || action.verb === "pull") return `${action.verb}-${action.choice}`;
    return action.verb;
  },
  choiceTiles(action, view) {
    const tiles = split(action.tiles);
    if (tiles.length === 4) return tiles;
    if (action.verb === "cover" || action.verb === "kong") return Array(action.verb === "cover" ? 3 : 4).fill(tiles[0]);
    return tiles.length ? tiles : view.last ? [view.last[1]] : [];
  },
  declareAsk: "报听：点亮的牌打出后即听",
  ask: () => "",
  label(action) {
    if (action.verb === "sit") return t(action.choice ? "要" : "不要");
    if (action.verb === "pull") return String(action.choice);
    return action.choice === "declare_ready" ? t("报听") : null;
  },
  price: () => null,
  kinds: {
    pong: "碰",
    chow: "吃",
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
  origins: { draw: "自摸", kong_draw: "杠上开花", discard: "接炮", rob_kong: "抢杠", rob_xi: "抢喜" },
  calls: {
    pong: "碰",
    chow: "吃",
    kong_exposed: "杠",
    kong_added: "杠",
    kong_concealed: "杠",
    kong_gold: "杠",
    kong_late: "杠",
    pair_claim: "将",
    cover: "扣",
    ones: "亮",
    nines: "亮",
    dragons: "亮",
    winds: "亮",
  },
  /** The size of a face-down set says what everybody saw: three or four backs. */
  callOf(event) {
    const laid = event.type === "meld_made" || event.type === "tile_laid" || (event.type === "meld_extended" && event.source !== "laid");
    if (!laid) return null;
    if (event.kind === "face_down") return event.count === 4 ? "杠" : "扣";
    return this.calls[event.kind] ?? this.words.extend;
  },
  throws: { break: "开牌墙", indicator: "翻牌" },
  flipLabel: "翻牌",
  glossary: [
    ["庄", "zhuāng", "The dealer."],
    ["碰", "pèng", "Pong: take a discard for three of a kind."],
    ["杠", "gàng", "Kong: four of a kind, with a tile to replace the fourth."],
    ["吃", "chī", "Chow: take a discard for a run of three."],
    ["听", "tīng", "Ready: one tile away from winning."],
    ["胡", "hú", "Win."],
    ["自摸", "zìmō", "Win with a tile that you draw yourself."],
    ["荒庄", "huāngzhuāng", "The tiles run out and nobody wins."],
  ],
  why: (line, names) => t(names[line.reason] ?? line.reason),
  how: (line, _view, names) => tokens(line.detail, names),
  formula: (win, _view, names) => ({
    head: win.reading.patterns.map((/** @type {[string, number]} */ [p]) => t(names[p] ?? p)).join(t("、")),
    sum: sum(win),
    price: price(win),
  }),
  dealing: () => [],
  ladderNote: (game) => t("只算{0}快速匹配、没有电脑的局，托管打的也算。", game),
  levelTile(level) {
    const wan = "一二三四五六七八九".indexOf(level[0]);
    return { tile: NAMED[level] ?? (wan >= 0 ? `${wan + 1}m` : "5z") };
  },
};

/** @type {Record<string, Face>} */
const loaded = {};

/** The face of a variant; a game without a file of its own is played with the generic one. @param {string} slug */
export async function faceOf(slug) {
  if (!loaded[slug]) {
    const own = /^[a-z]+$/.test(slug) ? await import(`./${slug}.js`).catch(() => ({})) : {};
    learn(own.EN);
    /** Tables of words are added to, entry by entry. */
    const table = (/** @type {"kinds"|"words"|"keys"|"origins"|"calls"} */ name) => ({ ...GENERIC[name], ...own.FACE?.[name] });
    loaded[slug] = {
      ...GENERIC,
      ...own.FACE,
      ...{ kinds: table("kinds"), words: table("words"), keys: table("keys"), origins: table("origins"), calls: table("calls") },
    };
  }
  return loaded[slug];
}

/** The face of a game that has been loaded, as those are which the server lists. @param {string} slug */
export const knownFace = (slug) => loaded[slug] ?? GENERIC;

/** Labels of the switch that asks before a dear tile goes, of all games that have been loaded. */
export const warnings = () => [...new Set(Object.values(loaded).map((face) => face.warnLabel))].filter(Boolean);
