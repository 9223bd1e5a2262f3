// @ts-check
/**
 * Checks a round's shuffle in the page: the revealed seed against the commitment, the wall against the seed, and both
 * against what this page saw before the deal (`seen.js`). A server that made everything up afterwards fails the last.
 */
import { sha256 } from "./sha256.js";
import { order, split } from "./view.js";

const text = new TextEncoder();

/** @param {string} seed */
const seedBytes = (seed) => new Uint8Array((seed.match(/../g) ?? []).map((pair) => parseInt(pair, 16)));

/** @param {Uint8Array[]} parts */
function join(parts) {
  const all = new Uint8Array(parts.reduce((sum, p) => sum + p.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** @param {number} n @param {number} width */
function bigEndian(n, width) {
  const bytes = new Uint8Array(width);
  for (let at = width - 1, rest = n; at >= 0; at--, rest = Math.floor(rest / 256)) bytes[at] = rest % 256;
  return bytes;
}

/**
 * Shuffle version 1, as in `app/kernel/play/shuffle.py`: wall in drawing order, dice, and the seat of a random dealer.
 * @param {string} seed @param {string[]} contributions @param {string[]} kinds @param {number} dice @param {number} players
 */
export function dealOf(seed, contributions, kinds, dice, players) {
  const parts = [text.encode("quezhuo shuffle 1")];
  for (const part of [seedBytes(seed), ...contributions.map((c) => text.encode(c))]) parts.push(bigEndian(part.length, 4), part);
  const root = sha256(join(parts));
  let counter = 0;
  /** @type {bigint[]} */
  let words = [];
  const below = (/** @type {number} */ bound) => {
    const limit = 2n ** 64n - (2n ** 64n % BigInt(bound));
    for (;;) {
      if (!words.length) {
        const block = sha256(join([root, bigEndian(counter++, 8)]));
        const view = new DataView(block.buffer);
        words = [0, 8, 16, 24].map((at) => view.getBigUint64(at));
      }
      const word = /** @type {bigint} */ (words.shift());
      if (word < limit) return Number(word % BigInt(bound));
    }
  };
  const wall = kinds.flatMap((kind) => [kind, kind, kind, kind]);
  for (let place = wall.length - 1; place > 0; place--) {
    const other = below(place + 1);
    [wall[place], wall[other]] = [wall[other], wall[place]];
  }
  const faces = Array.from({ length: dice }, () => 1 + below(6));
  return { wall: wall.join(""), dice: faces, seat: below(players) };
}

/** @param {import("./view.js").View} view */
const kindsOf = (view) => [...new Set(split(view.ended?.wall ?? ""))].sort((a, b) => order(a) - order(b));

/** True when seed, commitment and wall of an ended round agree; null before its end. @param {import("./view.js").View} view */
export function verified(view) {
  if (!view.ended) return null;
  const digest = sha256(seedBytes(view.ended.seed));
  const hex = [...digest].map((b) => b.toString(16).padStart(2, "0")).join("");
  const { wall } = dealOf(view.ended.seed, view.contributions, kindsOf(view), 0, 1);
  return hex === view.commitment && wall === view.ended.wall;
}

/** The result of a check: whether all holds, and one sentence about the compared values. @typedef {{ok: boolean, note:
 * string}} Fair */
/** The round as it is known now. @typedef {{seat: number|null, series: number, dice: number, draws: boolean}} Now */

/**
 * The check of an ended round, against what this page kept when it sent `ready` where it kept anything. Null before the end.
 * `draws`: this game draws the dealer of a series; `dice`: how many dice its deal takes.
 * @param {import("./view.js").View} view @param {import("./seen.js").Seen|null} [seen] @param {Now|null} [now] @returns {Fair|null}
 */
export function fairness(view, seen = null, now = null) {
  const holds = verified(view);
  if (holds === null) return null;
  if (!holds) return { ok: false, note: "种子、承诺和牌墙对不上" };
  if (!seen || !now || now.seat === null) return { ok: true, note: "只核对了种子、承诺和牌墙；准备时没有留底" };
  if (seen.commitment !== view.commitment) return { ok: false, note: "承诺和准备时看到的不同" };
  if (seen.entropy !== view.contributions[now.seat]) return { ok: false, note: "我的随机数没有用上" };
  const dealer = dealerOf(view, seen, now);
  if (dealer === null) return { ok: true, note: "承诺、我的随机数和准备时留底的一致" };
  if (dealer !== view.dealer) return { ok: false, note: "庄家不是该坐庄的那一位" };
  return { ok: true, note: "承诺、我的随机数、庄家和准备时留底的一致" };
}

/**
 * The seat that has to deal: the one named before the deal, or for a new series the one the shuffle draws. Null: not known.
 * @param {import("./view.js").View} view @param {import("./seen.js").Seen} seen @param {Now} now
 */
function dealerOf(view, seen, now) {
  if (seen.dealer !== null && seen.series === now.series) return seen.dealer;
  if (!now.draws || !view.ended) return null;
  return dealOf(view.ended.seed, view.contributions, kindsOf(view), now.dice, view.players).seat;
}
