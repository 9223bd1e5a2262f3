// @ts-check
/**
 * The fold of a viewer's table: the same as `app/kernel/table.py`, once more, in the browser.
 *
 * A view is the plain form of `plain_view` in `app/kernel/text/notation.py`; an event that of `plain_event`, where a field at
 * its default is left out. Nothing here judges: offers come from the server beside the view. Tested on golden streams.
 */

/** @typedef {{kind: string, count: number, tiles: string, source_seat?: number|null, taken?: string|null, face_down?: boolean, late_kind?: string|null}} Meld */
/** @typedef {{hand: string|null, count: number, drawn: string|null, melds: Meld[], row: string}} Seat */
/** @typedef {{reason: string, clause: string, source: number, target: number, points: number, detail?: [string, number][]}} Line */
/** @typedef {Record<string, any> & {type: string}} Event */
/**
 * @typedef {object} View
 * @property {string} variant
 * @property {Record<string, any>} rules
 * @property {number} rules_version
 * @property {number} players
 * @property {number} dealer
 * @property {number} dealt_at_ms
 * @property {string} commitment
 * @property {string[]} contributions
 * @property {Seat[]} seats
 * @property {string} phase
 * @property {number|null} turn
 * @property {number} left
 * @property {number} tick
 * @property {[number, string]|null} last
 * @property {Record<string, any>|null} laid
 * @property {Line[]} lines
 * @property {number[]} points
 * @property {Record<string, any>[]} dice
 * @property {Record<string, any>[]} flips
 * @property {Record<string, any>[]} answers
 * @property {number[]} passed
 * @property {{seat: number|null, mark: string, value: any, private: boolean}[]} marks
 * @property {Record<string, any>[]} wins
 * @property {boolean} revealed
 * @property {(string|null)[]} waits
 * @property {Record<string, any>|null} ended
 */

const SUITS = "mpsz";

/** Splits run-together mpsz text into tiles. @param {string|null|undefined} text @returns {string[]} */
export const split = (text) => (text ? /** @type {string[]} */ (text.match(/../g)) : []);

/** Order of kinds: m, p, s, z, rank ascending. @param {string} tile */
export const order = (tile) => SUITS.indexOf(tile[1]) * 9 + Number(tile[0]);

/** @param {string[]} tiles */
export const sorted = (tiles) => [...tiles].sort((a, b) => order(a) - order(b));

/** Adds tiles to a hidden or open hand. @param {string|null} hand @param {string|null|undefined} more */
const add = (hand, more) => (hand === null ? null : sorted([...split(hand), ...split(more)]).join(""));

/** Takes tiles out of a hidden or open hand. @param {string|null} hand @param {string[]} gone */
function take(hand, gone) {
  if (hand === null) return null;
  const tiles = split(hand);
  for (const tile of gone) {
    const at = tiles.indexOf(tile);
    if (at >= 0) tiles.splice(at, 1);
  }
  return tiles.join("");
}

/** The drawn tile counts as in hand while any tile of its kind is. @param {string|null} hand @param {string|null} drawn */
const still = (hand, drawn) => (hand !== null && drawn && split(hand).includes(drawn) ? drawn : null);

/** @param {View} view @param {number} seat @param {Partial<Seat>} change @returns {Seat[]} */
const put = (view, seat, change) => view.seats.map((s, at) => (at === seat ? { ...s, ...change } : s));

/** Takes the last tile off a row: only the discard of this moment is ever claimed. @param {View} view @param {Event} e */
const claimed = (view, e) =>
  e.source === "row" ? { ...view, seats: put(view, e.source_seat, { row: view.seats[e.source_seat].row.slice(0, -2) }) } : view;

/** @param {number} players @param {Line[]} lines */
function net(players, lines) {
  const totals = Array(players).fill(0);
  for (const line of lines) {
    totals[line.source] -= line.points;
    totals[line.target] += line.points;
  }
  return totals;
}

/** @param {Event} e */
const bare = ({ type: _type, ...rest }) => rest;

/** @type {Record<string, (view: View, e: Event) => Partial<View>>} */
const FOLD = {
  phase_began: (_v, e) => ({ phase: e.phase, turn: e.seat, left: e.left }),
  dice_rolled: (v, e) => ({ dice: [...v.dice, bare(e)] }),
  hand_dealt: (v, e) => ({
    seats: put(v, e.seat, {
      hand: e.tiles ? sorted(split(e.tiles)).join("") : null,
      count: e.count,
      drawn: e.drawn ?? null,
      melds: [],
      row: "",
    }),
  }),
  tile_flipped: (v, e) => ({ flips: [...v.flips, bare(e)], left: e.left }),
  tile_drawn: (v, e) => {
    const s = v.seats[e.seat];
    const hand = e.tile ? add(s.hand, e.tile) : null;
    return {
      seats: put(v, e.seat, { hand, count: s.count + 1, drawn: e.tile ?? null }),
      turn: e.seat,
      left: e.left,
      last: null,
      laid: null,
    };
  },
  tile_discarded: (v, e) => {
    const s = v.seats[e.seat];
    return {
      seats: put(v, e.seat, { hand: take(s.hand, [e.tile]), count: s.count - 1, drawn: null, row: s.row + e.tile }),
      turn: e.seat,
      last: [e.seat, e.tile],
      laid: null,
    };
  },
  tile_laid: (v, e) => {
    const s = v.seats[e.seat];
    const hand = take(s.hand, [e.tile]);
    return {
      seats: put(v, e.seat, { hand, count: s.count - 1, drawn: still(hand, s.drawn) }),
      turn: e.seat,
      last: null,
      laid: bare(e),
    };
  },
  tile_robbed: () => ({ last: null }),
  meld_made: (before, e) => {
    const v = claimed(before, e);
    const s = v.seats[e.seat];
    const own = split(e.tiles);
    if (e.taken) own.splice(own.indexOf(e.taken), 1);
    const hand = take(s.hand, own);
    const meld = { kind: e.kind, tiles: e.tiles ?? "", count: e.count, ...pick(e, ["source_seat", "taken", "face_down", "late_kind"]) };
    return {
      seats: put(v, e.seat, {
        hand,
        count: s.count - (e.source === "own" ? e.count : e.count - 1),
        drawn: still(hand, s.drawn),
        melds: [...s.melds, meld],
      }),
      turn: e.seat,
      last: null,
      laid: null,
    };
  },
  meld_extended: (before, e) => {
    const v = claimed(before, e);
    const s = v.seats[e.seat];
    const own = e.source === "own";
    const hand = own ? take(s.hand, [e.tile]) : s.hand;
    const old = s.melds[e.meld];
    const meld = {
      kind: e.kind,
      tiles: e.tiles,
      count: e.count,
      ...pick({ source_seat: e.source_seat ?? old.source_seat, taken: e.source === "row" ? e.tile : old.taken, late_kind: e.late_kind }, [
        "source_seat",
        "taken",
        "late_kind",
      ]),
    };
    return {
      seats: put(v, e.seat, {
        hand,
        count: s.count - (own ? 1 : 0),
        drawn: still(hand, s.drawn),
        melds: s.melds.map((m, at) => (at === e.meld ? meld : m)),
      }),
      turn: e.seat,
      last: null,
      laid: null,
    };
  },
  answers_revealed: (v, e) => ({ answers: [...v.answers, bare(e)] }),
  seat_passed: (v, e) => ({ passed: [...v.passed, e.seat] }),
  marked: (v, e) => {
    const kept = v.marks.filter((m) => m.mark !== e.mark || m.seat !== e.seat);
    if (e.value === null) return { marks: kept };
    return { marks: [...kept, { seat: e.seat, mark: e.mark, value: e.value, private: e.private ?? false }] };
  },
  points_moved: (v, e) => {
    const lines = [...v.lines, ...e.lines];
    return { lines, points: net(v.players, lines) };
  },
  won: (v, e) => ({ wins: [...v.wins, bare(e)] }),
  hands_revealed: (v, e) => ({
    seats: v.seats.map((s, at) => ({
      ...s,
      hand: sorted(split(e.hands[at])).join(""),
      count: split(e.hands[at]).length,
      melds: e.melds[at],
    })),
    revealed: true,
    waits: e.waits,
  }),
  round_ended: (_v, e) => ({ phase: "over", ended: bare(e) }),
};

/** Events that no table shows: they move no tick either. */
const SILENT = new Set(["answered", "hold_ended"]);

/** Keeps the named fields that are set, as the plain form does. @param {Record<string, any>} from @param {string[]} names */
function pick(from, names) {
  /** @type {Record<string, any>} */
  const kept = {};
  for (const name of names) if (from[name] !== undefined && from[name] !== null && from[name] !== false) kept[name] = from[name];
  return kept;
}

/** @param {Event} e @returns {View} */
function started(e) {
  return {
    variant: e.variant,
    rules: e.rules,
    rules_version: e.rules_version,
    players: e.players,
    dealer: e.dealer,
    dealt_at_ms: e.dealt_at_ms,
    commitment: e.commitment,
    contributions: e.contributions,
    seats: Array.from({ length: e.players }, () => ({ hand: null, count: 0, drawn: null, melds: [], row: "" })),
    phase: "deal",
    turn: null,
    left: 0,
    tick: 1,
    last: null,
    laid: null,
    lines: [],
    points: Array(e.players).fill(0),
    dice: [],
    flips: [],
    answers: [],
    passed: [],
    marks: [],
    wins: [],
    revealed: false,
    waits: [],
    ended: null,
  };
}

/**
 * Moves a view by one event's face. @param {View|null} view @param {Event} e @returns {View}
 * Throws for an event of an unknown type: the client is older than the server and must reload.
 */
export function fold(view, e) {
  if (e.type === "round_started") return started(e);
  if (!view) throw new Error(`a round starts with round_started, not ${e.type}`);
  if (SILENT.has(e.type)) return view;
  const step = FOLD[e.type];
  if (!step) throw new Error(`unknown event ${e.type}`);
  return { ...view, ...step(view, e), tick: view.tick + (e.private ? 0 : 1) };
}

/** The value of a mark. @param {View} view @param {string} name @param {number|null} [seat] */
export const mark = (view, name, seat = null) => view.marks.find((m) => m.mark === name && m.seat === seat)?.value ?? null;
