// @ts-check
/** Checks a round's shuffle in the page: the revealed seed against the commitment, and the wall against the seed. */
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

/** Shuffle version 1, as in `app/kernel/shuffle.py`. @param {string} seed @param {string[]} contributions @param {string[]} kinds */
export function wallOf(seed, contributions, kinds) {
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
  return wall.join("");
}

/** True when seed, commitment and wall of an ended round agree; null before its end. @param {import("./view.js").View} view */
export function verified(view) {
  if (!view.ended) return null;
  const digest = sha256(seedBytes(view.ended.seed));
  const hex = [...digest].map((b) => b.toString(16).padStart(2, "0")).join("");
  const kinds = [...new Set(split(view.ended.wall))].sort((a, b) => order(a) - order(b));
  return hex === view.commitment && wallOf(view.ended.seed, view.contributions, kinds) === view.ended.wall;
}
