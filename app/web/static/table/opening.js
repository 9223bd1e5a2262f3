// @ts-check
/** Open throws and flips: dice with their purpose, and a flipped tile. Short lines in the middle. */
import { h } from "../dom.js";
import { t } from "../i18n.js";
import { tile } from "../tiles.js";
import { calm } from "./motion.js";

const SHOWN_MS = 1_300;
const APART_MS = 900;
const ROLL_MS = 420;
/** The nine fields of a die that have a pip, by its number. @type {number[][]} */
const PIPS = [[], [4], [0, 8], [0, 4, 8], [0, 2, 6, 8], [0, 2, 4, 6, 8], [0, 2, 3, 5, 6, 8]];

/** A die. @param {number} face */
const die = (face) =>
  h(
    "span",
    { class: `die${face === 1 || face === 4 ? " red" : ""}` },
    Array.from({ length: 9 }, (_x, at) => h("i", { class: PIPS[face]?.includes(at) ? "on" : "" })),
  );

/** Shows throws and flips one after the other. @param {any} table the screen @param {any[]} events */
export function openings(table, events) {
  const shown = events.filter((e) => e.type === "dice_rolled" || e.type === "tile_flipped");
  shown.forEach((e, at) => line(table, e, at * APART_MS));
}

/** @param {any} table @param {any} event @param {number} delay */
function line(table, event, delay) {
  const { face, slots } = table;
  const dice = event.type === "dice_rolled";
  const label = dice ? face.throws[event.purpose] : event.role === "flip" ? face.flipLabel : face.throws.indicator;
  const things = dice ? event.faces.map(die) : [tile(event.tile, { label: "" })];
  const box = h("p", { class: "opening" }, dice ? h("b", { text: table.who(event.seat) }) : null, h("span", { text: t(label) }), things);
  slots.fx.append(box);
  const fade = [{ opacity: 0 }, { opacity: 1, offset: 0.08 }, { opacity: 1, offset: 0.85 }, { opacity: 0 }];
  const seen = box.animate(fade, { duration: SHOWN_MS, delay, fill: "both" });
  seen.onfinish = () => box.remove();
  if (calm()) return;
  for (const [at, thing] of things.entries()) {
    const from = dice ? `translate(${40 + 30 * at}px, 60px) rotate(${220 + 90 * at}deg)` : "rotateY(90deg)";
    thing.animate([{ transform: from }, { transform: "none" }], {
      duration: ROLL_MS,
      delay,
      easing: "cubic-bezier(.3,1.5,.5,1)",
      fill: "backwards",
    });
  }
}
