// @ts-check
/**
 * From the folded view and the match to what the screen shows: places around the table, names, grouped choices.
 * Pure: no element is made here.
 */
import { t } from "../i18n.js";
import { split } from "../view.js";

/** @typedef {"me"|"right"|"top"|"left"} Place */
/** @type {Record<number, Place[]>} */
const PLACES = { 2: ["me", "top"], 3: ["me", "right", "left"], 4: ["me", "right", "top", "left"] };

/** The place of a seat on my screen: the next player is on my right. @param {number} seat @param {number} me @param
 * {number} players */
export const placeOf = (seat, me, players) => PLACES[players][(seat - me + players) % players];

/** Seats by place. @param {number} me @param {number} players @returns {Partial<Record<Place, number>>} */
export function seatsByPlace(me, players) {
  return Object.fromEntries(PLACES[players].map((place, step) => [place, (me + step) % players]));
}

/** @typedef {{key: string, verb: string, actions: Record<string, any>[]}} Group */

/**
 * Options of a decision as buttons, in the order of the offers; several of one key behind one button. Answers before the
 * deal stand with the dearest first. @param {any} decision @param {import("../variants/generic.js").Face} face @returns {Group[]}
 */
export function groups(decision, face) {
  /** @type {Map<string, Group>} */
  const found = new Map();
  for (const action of decision?.options ?? []) {
    const key = face.groupKey(action);
    /** @type {Group} */
    const group = found.get(key) ?? { key, verb: action.verb, actions: [] };
    group.actions.push(action);
    found.set(key, group);
  }
  const list = [...found.values()];
  if (decision?.clock === "answer") list.sort((a, b) => Number(b.actions[0].choice) - Number(a.actions[0].choice));
  return list;
}

/** Tiles that may be discarded now. @param {any} decision @param {boolean} declaring @returns {Set<string>} */
export function discardable(decision, declaring) {
  /** @type {Set<string>} */
  const tiles = new Set();
  for (const a of decision?.options ?? []) if (a.verb === "discard" && Boolean(a.choice) === declaring) tiles.add(a.tiles);
  return tiles;
}

/**
 * My concealed tiles, wild ones first; the drawn one apart, in my own turn and before anything else happened in it.
 * @param {import("../view.js").View} view @param {number} me @param {string[]} wilds
 */
export function handTiles(view, me, wilds) {
  const seat = view.seats[me];
  const tiles = split(seat.hand);
  const apart = seat.count % 3 === 2 && view.turn === me && view.last === null && view.laid === null;
  const drawn = apart && seat.drawn ? seat.drawn : null;
  if (drawn) tiles.splice(tiles.lastIndexOf(drawn), 1);
  return { tiles: [...tiles.filter((k) => wilds.includes(k)), ...tiles.filter((k) => !wilds.includes(k))], drawn };
}

/**
 * Copies of a kind that I do not see: four less my hand, all rows, sets that show, flips and a tile on the way into a set.
 * @param {import("../view.js").View} view @param {number} me @param {string} tile
 */
export function unseen(view, me, tile) {
  const shown = view.seats.flatMap((s) => [...split(s.row), ...s.melds.flatMap((m) => split(m.tiles))]);
  const mine = split(view.seats[me].hand);
  const all = [...mine, ...shown, ...view.flips.map((f) => f.tile), view.laid?.tile];
  return Math.max(0, 4 - all.filter((k) => k === tile).length);
}

/** The tile a claim window is about, if the question is one. @param {any} decision @param {import("../view.js").View} view @param {number} me */
export function claimed(decision, view, me) {
  if (decision?.clock !== "claim") return null;
  if (view.laid) return { tile: view.laid.tile, from: view.laid.seat };
  return view.last && view.last[0] !== me ? { tile: view.last[1], from: view.last[0] } : null;
}

/**
 * The end of the last vote to dissolve that did not pass: the players against it, or that not all agreed in time.
 * @param {{no: number[]}} refused @param {(seat: number) => string} who
 */
export const voteNews = (refused, who) =>
  refused.no.length ? t("{0} 不同意解散，继续打", refused.no.map(who).join(t("、"))) : t("没有全部同意，继续打");

/** Latest points that moved by seat, to be shown flying for a moment. @param {Record<string, any>[]} events @param {number} players */
export function pointsMoved(events, players) {
  const moved = Array(players).fill(0);
  for (const e of events) {
    if (e.type !== "points_moved") continue;
    for (const line of e.lines) {
      moved[line.source] -= line.points;
      moved[line.target] += line.points;
    }
  }
  return moved;
}
