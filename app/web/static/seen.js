// @ts-check
/** Facts that this page saw before a deal, kept over reloads: the anchor that a round's shuffle is compared with at its
 * end. */

const KEY = "quezhuo.seen";
const KEPT = 12;

/**
 * `commitment`, `dealer` (null: not named yet) and `series` as the server stated them when `ready` was sent with `entropy`.
 * @typedef {{room: string, user: string, round: number, commitment: string, entropy: string, dealer: number|null, series: number}} Seen
 */

/** @returns {Seen[]} */
function all() {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "[]");
  } catch {
    return [];
  }
}

/** @param {Seen[]} list */
function store(list) {
  try {
    localStorage.setItem(KEY, JSON.stringify(list.slice(-KEPT)));
  } catch {
    // Storage is full or forbidden: the round is checked against itself only, and the check says so.
  }
}

/** @param {{room: string, user: string, round: number}} of */
const same = (of) => (/** @type {Seen} */ s) => s.room === of.room && s.user === of.user && s.round === of.round;

/** Keeps the facts seen; a later `ready` for the same round takes its place. @param {Seen} seen */
export const keep = (seen) => store([...all().filter((s) => !same(seen)(s)), seen]);

/** Readiness was taken back: the words sent with it are not used. @param {{room: string, user: string, round: number}}
 * of */
export const forget = (of) => store(all().filter((s) => !same(of)(s)));

/** @param {{room: string, user: string, round: number}} of @returns {Seen|null} */
export const recall = (of) => all().find(same(of)) ?? null;
