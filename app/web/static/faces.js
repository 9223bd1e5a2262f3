// @ts-check
/** The face of an event for one viewer: `app/kernel/views.py` once more, for replaying an open record from one seat. */

/** Sees everything, as a record after the end may. */
export const OPEN = -2;

/** @typedef {import("./view.js").Event} Event */
/** @type {Record<string, (e: Event, own: boolean) => Event|null>} */
const HIDE = {
  round_started: ({ wall: _w, dice: _d, seed: _s, ...e }) => e,
  hand_dealt: (e, own) => (own ? e : { type: e.type, seat: e.seat, count: e.count }),
  tile_drawn: ({ tile, ...e }, own) => (own ? { ...e, tile } : e),
  meld_made: (e, own) =>
    own || !e.face_down
      ? e
      : { type: e.type, seat: e.seat, meld: e.meld, kind: "face_down", count: e.count, source: e.source, face_down: true },
  answered: (e, own) => (own ? e : null),
  hold_ended: () => null,
  marked: (e, own) => (e.private && !own ? null : e),
};

/** The face of an event for a viewer, null when they are sent nothing. @param {Event} event @param {number} viewer */
export function project(event, viewer) {
  if (viewer === OPEN) return event;
  const hide = HIDE[event.type];
  return hide ? hide(event, event.seat === viewer) : event;
}
