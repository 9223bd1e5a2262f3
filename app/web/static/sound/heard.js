// @ts-check
/** The sounds of a table: events → sounds and words, each from the side where it happens. Knows no game. */
import { name } from "../tiles.js";
import { play, speakAloud, voiced } from "../sound.js";

/** @typedef {import("../variants/generic.js").Face} Face */
/** @typedef {{me: number|null, face: Face, placeOf: (seat: number) => string, dealer: number}} Listener */

/** Numbers of patterns from which a win is a middle one, and a large one. */
const MIDDLE = 2;
const LARGE = 3;

/** A call: its sound, softer where a voice says the word. @param {string} word @param {string} place */
async function call(word, place) {
  play("call", { place, soft: await voiced() });
  speakAloud(word, place);
}

/** @param {any} won @param {Listener} who */
function won(won, { me, face, placeOf }) {
  const patterns = won.reading?.patterns?.length ?? 1;
  const large = patterns >= LARGE ? "win3" : patterns >= MIDDLE ? "win2" : "win1";
  play(won.source_seat === me && me !== null ? "lose" : large);
  const drawn = won.origin === "draw" || won.origin === "kong_draw";
  speakAloud(drawn ? face.origins.draw : face.words.win, placeOf(won.seat));
}

/** @type {Record<string, (event: any, who: Listener) => void>} */
const HEARD = {
  dice_rolled: () => play("dice"),
  hand_dealt: (event, { me }) => void (event.seat === me && play("slide")),
  tile_flipped: () => play("clack"),
  tile_drawn: (event, { me }) => void (event.seat === me && play("draw")),
  tile_discarded(event, { face, placeOf }) {
    const place = placeOf(event.seat);
    play("clack", { place });
    speakAloud(name(event.tile, "zh", face.dots), place);
  },
  tile_laid: (event, { face, placeOf }) => void call(face.kinds[event.kind] ?? "", placeOf(event.seat)),
  meld_made: (event, { face, placeOf }) => void call(face.kinds[event.kind] ?? "", placeOf(event.seat)),
  meld_extended(event, { face, placeOf }) {
    if (event.source !== "laid") call(face.kinds[event.kind] ?? "", placeOf(event.seat));
  },
  marked(event, { face, placeOf, dealer }) {
    const word = face.callOf(event);
    if (word) call(word, placeOf(event.seat ?? dealer));
  },
  hands_revealed: () => play("slide"),
  won,
};

/** One entry of the table is heard. @param {any[]} events @param {Listener} who */
export function hear(events, who) {
  for (const event of events) HEARD[event.type]?.(event, who);
}
