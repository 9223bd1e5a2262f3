// The fold of "How to write a client", written from its table by a stranger: plain objects in, plain objects out.

export const split = (tiles) => tiles?.match(/../g) ?? [];
const place = (tile) => "mpsz".indexOf(tile[1]) * 9 + Number(tile[0]);
const joined = (tiles) => [...tiles].sort((a, b) => place(a) - place(b)).join("");
const some = (from, names) => Object.fromEntries(names.filter((name) => name in from).map((name) => [name, from[name]]));

function without(hand, gone) {
  if (hand === null) return null;
  const left = split(hand);
  for (const tile of gone) left.splice(left.indexOf(tile), 1);
  return left.join("");
}

/** A seat after `count` tiles left it, among them those of `own` that we can see. */
function gave(seat, own, count) {
  seat.hand = without(seat.hand, own);
  seat.count -= count;
  if (!split(seat.hand).includes(seat.drawn)) seat.drawn = null;
}

function fromRow(v, e) {
  if (e.source === "row") v.seats[e.source_seat].row = v.seats[e.source_seat].row.slice(0, -2);
}

const TOLD = ["variant", "rules", "rules_version", "players", "dealer", "dealt_at_ms", "commitment", "contributions"];
const started = (e) => ({
  ...some(e, TOLD),
  seats: Array.from({ length: e.players }, () => ({ hand: null, count: 0, drawn: null, melds: [], row: "" })),
  phase: "deal", turn: null, left: 0, tick: 1, last: null, laid: null, lines: [], points: Array(e.players).fill(0),
  dice: [], flips: [], answers: [], passed: [], marks: [], wins: [], revealed: false, waits: [], ended: null,
});

const MOVES = {
  phase_began: (v, e) => Object.assign(v, { phase: e.phase, turn: e.seat ?? null, left: e.left }),
  dice_rolled: (v, e) => v.dice.push(e),
  tile_flipped: (v, e) => Object.assign(v, { flips: [...v.flips, e], left: e.left }),
  answers_revealed: (v, e) => v.answers.push(e),
  hand_dealt(v, e) {
    const hand = e.tiles ? joined(split(e.tiles)) : null;
    v.seats[e.seat] = { hand, count: e.count, drawn: e.drawn ?? null, melds: [], row: "" };
  },
  tile_drawn(v, e) {
    const seat = v.seats[e.seat];
    seat.hand = e.tile && seat.hand !== null ? joined([...split(seat.hand), e.tile]) : null;
    seat.count += 1;
    seat.drawn = e.tile ?? null;
    Object.assign(v, { turn: e.seat, left: e.left, last: null, laid: null });
  },
  tile_discarded(v, e) {
    const seat = v.seats[e.seat];
    gave(seat, [e.tile], 1);
    seat.drawn = null;
    seat.row += e.tile;
    Object.assign(v, { turn: e.seat, last: [e.seat, e.tile], laid: null });
  },
  tile_laid(v, e) {
    gave(v.seats[e.seat], [e.tile], 1);
    Object.assign(v, { turn: e.seat, last: null, laid: e });
  },
  tile_robbed: (v) => (v.last = null),
  meld_made(v, e) {
    fromRow(v, e);
    const own = split(e.tiles);
    if (e.taken) own.splice(own.indexOf(e.taken), 1);
    gave(v.seats[e.seat], own, e.count - (e.taken ? 1 : 0));
    const meld = { tiles: "", ...some(e, ["kind", "tiles", "count", "source_seat", "taken", "face_down", "late_kind"]) };
    v.seats[e.seat].melds.push(meld);
    Object.assign(v, { turn: e.seat, last: null, laid: null });
  },
  meld_extended(v, e) {
    fromRow(v, e);
    const { melds } = v.seats[e.seat];
    if (e.source === "own") gave(v.seats[e.seat], [e.tile], 1);
    const kept = some(melds[e.meld], ["source_seat", "taken"]);
    melds[e.meld] = { ...kept, ...some(e, ["kind", "tiles", "count", "source_seat", "late_kind"]) };
    if (e.source === "row") melds[e.meld].taken = e.tile;
    Object.assign(v, { turn: e.seat, last: null, laid: null });
  },
  seat_passed: (v, e) => v.passed.push(e.seat),
  marked(v, e) {
    const seat = e.seat ?? null;
    v.marks = v.marks.filter((old) => old.mark !== e.mark || old.seat !== seat);
    if ((e.value ?? null) !== null) v.marks.push({ seat, mark: e.mark, value: e.value, private: e.private ?? false });
  },
  points_moved(v, e) {
    v.lines.push(...e.lines);
    for (const { source, target, points } of e.lines) [v.points[source], v.points[target]] = [v.points[source] - points, v.points[target] + points];
  },
  won: (v, e) => v.wins.push(e),
  hands_revealed(v, e) {
    v.seats.forEach((seat, at) => Object.assign(seat, { hand: joined(split(e.hands[at])), count: split(e.hands[at]).length, melds: e.melds[at] }));
    Object.assign(v, { revealed: true, waits: e.waits });
  },
  round_ended: (v, e) => Object.assign(v, { phase: "over", ended: e }),
};

/** The view after one event. The view that is given changes too. */
export function fold(view, { type, ...event }) {
  if (type === "round_started") return started(event);
  if (type === "answered" || type === "hold_ended") return view;
  MOVES[type](view, event);
  if (!event.private) view.tick += 1;
  return view;
}
