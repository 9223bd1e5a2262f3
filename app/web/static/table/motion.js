// @ts-check
/**
 * The tiles' elements and how they move: an element is kept by its tile's id, and an element with another place after a
 * redraw flies there from where it is now (FLIP). Never waits, never delays input; a newer state starts from where a
 * tile is in flight.
 */
import { h } from "../dom.js";
import { tile } from "../tiles.js";

const MOVE_MS = 160;
const THROW_MS = 180;
const DEAL_MS = 60;
const EASE = "cubic-bezier(.22,.9,.3,1)";

/** @typedef {{left: number, top: number, width: number, height: number}} Box */
/** @typedef {{el: SVGElement, look: string, turn: number, kind: string|null, before: number, flight: Animation|null, box: Box|null}} Kept */

/** Does the reader want nothing to move? */
export const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** @param {Record<string, any>} state */
const turnOf = (state) => state.turn ?? (state.side ? 1 : 0);

export class Tiles {
  constructor() {
    /** @type {Map<number, Kept>} */ this.kept = new Map();
    /** Buttons of my hand, by the tile's id. @type {Map<number, HTMLElement>} */ this.buttons = new Map();
  }

  /** The element of a tile, drawn by `state`. @param {number} id @param {string} kind @param {Record<string, any>}
   * state */
  element(id, kind, state) {
    const shown = state.down ? null : kind;
    const look = JSON.stringify([shown, state]);
    const found = this.kept.get(id);
    if (found?.look === look) return found.el;
    const fresh = tile(kind, state);
    if (!found) {
      this.kept.set(id, { el: fresh, look, turn: turnOf(state), kind: shown, before: turnOf(state), flight: null, box: null });
      return fresh;
    }
    for (const { name } of [...found.el.attributes]) if (!fresh.hasAttribute(name)) found.el.removeAttribute(name);
    for (const { name, value } of [...fresh.attributes]) found.el.setAttribute(name, value);
    found.el.replaceChildren(...fresh.children);
    Object.assign(found, { look, turn: turnOf(state), kind: shown });
    return found.el;
  }

  /** The button of a tile in my hand. @param {number} id */
  button(id) {
    const found = this.buttons.get(id) ?? h("button", { type: "button", "data-id": id });
    this.buttons.set(id, found);
    return found;
  }

  /** Notes where every tile is, in flight or at rest. Before the redraw. */
  measure() {
    for (const kept of this.kept.values()) {
      const { left, top, width, height } = kept.el.getBoundingClientRect();
      kept.box = width ? { left, top, width, height } : null;
      kept.before = kept.turn;
    }
  }

  /** Tints every open copy of a kind, wherever it lies. @param {string|null} kind */
  highlight(kind) {
    for (const kept of this.kept.values()) kept.el.classList.toggle("same", kind !== null && kept.kind === kind);
  }

  /** Ends all flights; tiles that are not there any more are forgotten. After a redraw without motion. */
  settle() {
    for (const [id, kept] of this.kept) {
      kept.flight?.cancel();
      kept.flight = null;
      if (!kept.el.isConnected) this.kept.delete(id);
    }
    for (const [id, button] of this.buttons) if (!button.isConnected) this.buttons.delete(id);
  }

  /**
   * Lets tiles fly to their new places. After the redraw. @param {(el: SVGElement) => Box|null} origin where a tile comes from that
   * was not seen before
   */
  fly(origin) {
    this.settle();
    const moves = [];
    for (const kept of this.kept.values()) {
      const now = kept.el.getBoundingClientRect();
      if (!now.width) continue;
      const from = kept.box ?? origin(kept.el);
      if (from && (Math.abs(from.left - now.left) > 1 || Math.abs(from.top - now.top) > 1)) moves.push({ kept, from, now });
    }
    const dealt = moves.filter(({ kept }) => !kept.box).length > 4;
    let fresh = 0;
    for (const { kept, from, now } of moves) {
      const thrown = kept.box !== null && kept.el.closest(".river, .meld") !== null;
      const wait = dealt && !kept.box ? (fresh++ >> 2) * DEAL_MS : 0;
      kept.flight = flight(kept, from, now, thrown, wait);
    }
  }
}

/** One tile's way from a box to where it is. @param {Kept} kept @param {Box} from @param {DOMRect} now @param {boolean} thrown @param {number} wait */
function flight(kept, from, now, thrown, wait) {
  const x = from.left + from.width / 2 - now.left - now.width / 2;
  const y = from.top + from.height / 2 - now.top - now.height / 2;
  const quarter = kept.box ? ((kept.before - kept.turn + 6) % 4) - 2 : 0;
  const wide = quarter % 2 ? from.height : from.width;
  const scale = Math.min(3, Math.max(0.2, wide / now.width));
  const start = `translate(${x}px, ${y}px) rotate(${-90 * quarter}deg) scale(${scale})`;
  const lift = `translate(${x / 2}px, ${y / 2 - 14}px) rotate(${-45 * quarter}deg) scale(${(1 + scale) / 2 + 0.06})`;
  const frames = [
    { transform: start, opacity: kept.box ? 1 : 0.2 },
    ...(thrown ? [{ transform: lift, offset: 0.5 }] : []),
    { transform: "none", opacity: 1 },
  ];
  const above = /** @type {HTMLElement|null} */ (kept.el.closest(".seat, .rivers, .hand"));
  kept.el.style.zIndex = "20";
  if (above) above.style.zIndex = "15";
  const moving = kept.el.animate(frames, { duration: thrown ? THROW_MS : MOVE_MS, delay: wait, easing: EASE, fill: "backwards" });
  const done = () => {
    if (kept.flight !== moving) return;
    kept.flight = null;
    kept.el.style.zIndex = "";
    if (above) above.style.zIndex = "";
  };
  moving.onfinish = done;
  moving.oncancel = done;
  return moving;
}
