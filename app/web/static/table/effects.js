// @ts-check
/**
 * Large effects at the table: calls at their seat, and the moment of a win before the settlement. Only a look: nothing
 * waits for it but the sheet, and a tap skips that. Assistive technology hears the same by the live region.
 */
import { h, signed } from "../dom.js";
import { lang, t } from "../i18n.js";
import { play } from "../sound.js";
import { calm } from "./motion.js";
import { placeOf } from "./present.js";

const CALL_MS = 880;
/** Time for which a win shows, and the extra time for each further pattern. */
const WIN_MS = 1_200;
const PATTERN_MS = 220;
const MOST_MS = 2_000;
const COUNT_MS = 420;
/** Patterns that are heard, one by one, and ticks while points are counted up. */
const MOST_BEATS = 6;
const TICKS = 6;

/** One call in large letters at a seat. @param {HTMLElement} layer @param {string} place @param {string} word @param {boolean} [win] */
export function callout(layer, place, word, win = false) {
  const box = h("div", { class: `call at-${place}${win ? " win" : ""}`, lang: lang === "en" ? null : "zh" }, h("b", { text: t(word) }));
  layer.append(box);
  const still = [{ opacity: 0 }, { opacity: 1, offset: 0.06 }, { opacity: 1, offset: 0.8 }, { opacity: 0 }];
  const shown = box.animate(still, { duration: CALL_MS });
  shown.onfinish = () => box.remove();
  if (calm()) return;
  const stamp = [{ transform: "scale(1.9)" }, { transform: "scale(.95)", offset: 0.7 }, { transform: "none" }];
  box.firstElementChild?.animate(stamp, { duration: 210, easing: "cubic-bezier(.2,.8,.25,1)" });
}

/** The calls among some events. @param {any} table the screen @param {any[]} events */
export function callouts(table, events) {
  const { view } = table.socket;
  const at = (/** @type {number} */ seat) => placeOf(seat, table.viewpoint, view.players);
  for (const e of events) {
    const word = e.type === "won" ? winWord(table.face, e) : table.face.callOf(e);
    if (word) callout(table.slots.fx, at(e.seat ?? view.dealer), word, e.type === "won");
  }
}

/** @param {import("../variants/generic.js").Face} face @param {any} won */
const winWord = (face, won) => (won.origin === "draw" || won.origin === "kong_draw" ? face.origins.draw : face.words.win);

/**
 * The win on the table: winner, patterns, points. @param {any} table the screen @param {import("../view.js").View} view
 * @param {() => void} done when it is over or the player taps
 * @returns {() => void} ends it without a word
 */
export function winMoment(table, view, done) {
  const ribbon = h(
    "div",
    { class: "ribbon" },
    view.wins.map((win) => winLine(table, view, win)),
  );
  table.slots.fx.append(ribbon);
  table.app.classList.add("winning");
  const patterns = Math.max(...view.wins.map((win) => win.reading.patterns.length));
  const ends = new AbortController();
  const beats = Array.from({ length: Math.min(patterns, MOST_BEATS) }, (_x, at) => setTimeout(() => play("pattern"), PATTERN_MS * at));
  const end = () => {
    for (const beat of beats) clearTimeout(beat);
    clearTimeout(timer);
    ends.abort();
    ribbon.remove();
    table.app.classList.remove("winning");
  };
  const over = () => {
    end();
    done();
  };
  const timer = setTimeout(over, Math.min(MOST_MS, WIN_MS + PATTERN_MS * (patterns - 1)));
  for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, over, { signal: ends.signal, capture: true });
  return end;
}

/** One winner: name and way, patterns one by one, points counted up. @param {any} table @param {import("../view.js").View} view @param {any} win */
function winLine(table, view, win) {
  const points = h("b", { class: `num${view.points[win.seat] < 0 ? " dn" : ""}` });
  count(points, view.points[win.seat]);
  return h(
    "p",
    { class: "winner" },
    h("strong", { text: `${table.who(win.seat)} ${t(table.face.origins[win.origin])}` }),
    h(
      "span",
      { class: "ps" },
      win.reading.patterns.map((/** @type {[string, number]} */ [p, n], /** @type {number} */ at) =>
        h("span", { class: "p", css: { "--at": at } }, t(table.names[p] ?? p), h("em", { class: "num", text: n })),
      ),
    ),
    points,
  );
}

/** Counts up to a number. @param {HTMLElement} box @param {number} to */
function count(box, to) {
  if (calm()) return void (box.textContent = signed(to));
  const began = performance.now();
  let ticks = 0;
  const step = () => {
    const part = Math.min(1, (performance.now() - began) / COUNT_MS);
    if (to && part * TICKS >= ticks) {
      ticks += 1;
      play("count");
    }
    box.textContent = signed(Math.round(to * (1 - (1 - part) ** 2)));
    if (part < 1) requestAnimationFrame(step);
  };
  step();
}
