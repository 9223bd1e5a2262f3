// @ts-check
/**
 * Which tile is which: every tile that shows has an id that it keeps from the wall to a hand, the river and a set. A view says
 * kinds only, so ids are carried over from the view before: equal tiles differ by position. Pure, no element here.
 */
import { split } from "../view.js";
import { handTiles } from "./present.js";

/** `own`: it was thrown as it was drawn, which only its owner and an open replay know. @typedef {{id: number, kind: string|null, own?: boolean}} Piece */
/** @typedef {{hand: Piece[], drawn: Piece|null, row: Piece[], melds: Piece[][]}} SeatPieces */
/** @typedef {{seats: SeatPieces[], next: number}} Pieces */
/** @typedef {Piece & {seat: number, from: "hand"|"row"|"meld"}} Loose */

/** Nothing lies on the table. @returns {Pieces} */
export const noPieces = () => ({ seats: [], next: 1 });

/** The concealed tiles of a seat as they are shown: kinds where they are known, the drawn one last and apart. @param {import("../view.js").View} view @param {number} seat @param {string[]} wilds */
function handOf(view, seat, wilds) {
  const { hand, count } = view.seats[seat];
  if (hand === null) return { kinds: Array(count).fill(null), apart: false };
  const { tiles, drawn } = handTiles(view, seat, wilds);
  return { kinds: drawn ? [...tiles, drawn] : tiles, apart: drawn !== null };
}

/**
 * The pieces of a view, each with the id it had before where it was there before.
 * @param {Pieces} before @param {import("../view.js").View} view @param {string[]} wilds
 * @param {number|null} [picked] of equal tiles in a hand, the one that leaves it
 * @returns {Pieces}
 */
export function follow(before, view, wilds, picked = null) {
  /** @type {Loose[]} */
  const loose = [];
  const empty = { hand: [], drawn: null, row: [], melds: [] };
  const old = view.seats.map((_s, seat) => before.seats[seat] ?? empty);
  const hands = view.seats.map((_s, seat) => handOf(view, seat, wilds));
  const kept = hands.map(({ kinds }, seat) => keepHand(old[seat], kinds, picked, (p) => loose.push({ ...p, seat, from: "hand" })));
  const rows = view.seats.map((s, seat) => keepRow(old[seat].row, split(s.row), (p) => loose.push({ ...p, seat, from: "row" })));
  let { next } = before;
  const take = (/** @type {number} */ seat, /** @type {string|null} */ kind) => {
    const at = bestOf(loose, seat, kind);
    const found = at < 0 ? null : loose.splice(at, 1)[0];
    return { id: found?.id ?? next++, kind, ...(found?.own && found.from === "hand" ? { own: true } : {}) };
  };
  /** @type {SeatPieces[]} */
  const seats = view.seats.map((s, seat) => ({
    hand: [],
    drawn: null,
    melds: s.melds.map((m, at) => keepMeld(old[seat].melds[at] ?? [], m, (kind) => take(seat, kind))),
    row: split(s.row).map((kind, at) => rows[seat][at] ?? take(seat, kind)),
  }));
  seats.forEach((s, seat) => {
    const { kinds, apart } = hands[seat];
    const all = kinds.map((/** @type {string|null} */ kind, /** @type {number} */ at) => kept[seat][at] ?? take(seat, kind));
    s.drawn = apart ? { ...all[all.length - 1], own: true } : null;
    s.hand = (apart ? all.slice(0, -1) : all).map((/** @type {Piece} */ { id, kind }) => ({ id, kind }));
  });
  return { seats, next };
}

/**
 * Hand tiles that stay, at their new places; tiles that left go to `gone`. The middle ones of hidden tiles leave,
 * always: the place of a tile in a hidden hand stays secret. @param {SeatPieces} old @param {(string|null)[]} kinds
 * @param {number|null} picked @param {(p: Piece) => void} gone @returns {(Piece|undefined)[]}
 */
function keepHand(old, kinds, picked, gone) {
  const mine = [...old.hand, ...(old.drawn ? [old.drawn] : [])];
  if (kinds.includes(null) || mine.some((p) => p.kind === null)) {
    const extra = Math.max(0, mine.length - kinds.length);
    mine.splice(mine.length >> 1, extra).forEach(gone);
    return kinds.map((kind, at) => mine[at] && { ...mine[at], kind });
  }
  mine.sort((a, b) => Number(a.id === picked) - Number(b.id === picked));
  const found = kinds.map((kind) => {
    const at = mine.findIndex((p) => p.kind === kind);
    return at < 0 ? undefined : mine.splice(at, 1)[0];
  });
  mine.forEach(gone);
  return found;
}

/** Discards that stay: a row grows or loses its last. @param {Piece[]} old @param {string[]} kinds @param {(p: Piece) => void} gone @returns {Piece[]} */
function keepRow(old, kinds, gone) {
  const same = old.findIndex((p, at) => p.kind !== kinds[at]);
  const upTo = same < 0 ? old.length : same;
  old.slice(upTo).forEach(gone);
  return old.slice(0, upTo);
}

/** The tiles of a set: those it had, then the new ones. @param {Piece[]} old @param {import("../view.js").Meld} m
 * @param {(kind: string|null) => Piece} take */
function keepMeld(old, m, take) {
  const kinds = m.tiles ? split(m.tiles) : Array(m.count).fill(null);
  const left = [...old];
  return kinds.map((kind) => {
    const at = left.findIndex((p) => p.kind === kind || p.kind === null || kind === null);
    return at < 0 ? take(kind) : { id: left.splice(at, 1)[0].id, kind };
  });
}

/** Which loose tile comes here: of this kind out of this hand, of this kind off a row, or a hidden one of this hand. @param {Loose[]} loose @param {number} seat @param {string|null} kind */
function bestOf(loose, seat, kind) {
  const tests = [
    (/** @type {Loose} */ p) => p.from === "row" && p.kind === kind,
    (/** @type {Loose} */ p) => p.from === "hand" && p.seat === seat && p.kind === kind,
    (/** @type {Loose} */ p) => p.from === "hand" && p.seat === seat && (p.kind === null || kind === null),
  ];
  for (const test of tests) {
    const at = loose.findIndex(test);
    if (at >= 0) return at;
  }
  return -1;
}
