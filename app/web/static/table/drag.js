// @ts-check
/**
 * A tile of the hand under a finger or a mouse: a tap picks it, dragged over the release line and let go it is discarded.
 * The tile follows the pointer; short of the line it goes home. The toolbar takes no touch for scrolling (`touch-action`).
 */
import { h } from "../dom.js";
import { t } from "../i18n.js";
import { calm } from "./motion.js";

/** From here on it is a drag and no tap. */
const START_PX = 8;
const HOME_MS = 140;

/** @typedef {{button: HTMLElement, x: number, y: number, moved: boolean, armed: boolean}} Drag */

/**
 * @param {HTMLElement} box the hand
 * @param {{choose: (button: HTMLElement, sure: boolean) => void, may: (tile: string) => boolean}} on
 * @param {AbortSignal} signal
 */
export function draggable(box, on, signal) {
  /** @type {Drag|null} */
  let drag = null;
  const line = h("div", { class: "release", hidden: true, "aria-hidden": "true" }, h("b", { text: t("松手打出") }));
  box.after(line);

  const end = (/** @type {boolean} */ home) => {
    if (!drag) return;
    const { button } = drag;
    const from = button.style.transform;
    button.classList.remove("dragged");
    button.style.transform = "";
    if (home && from && !calm()) button.animate([{ transform: from }, { transform: "none" }], { duration: HOME_MS, easing: "ease-out" });
    line.hidden = true;
    drag = null;
  };
  const start = (/** @type {PointerEvent} */ e) => {
    const button = /** @type {HTMLElement|null} */ (/** @type {Element} */ (e.target).closest(".tilebtn"));
    if (!button || e.button !== 0 || drag) return;
    drag = { button, x: e.clientX, y: e.clientY, moved: false, armed: false };
  };
  const move = (/** @type {PointerEvent} */ e) => {
    if (!drag) return;
    const [x, y] = [e.clientX - drag.x, e.clientY - drag.y];
    if (!drag.moved && Math.hypot(x, y) < START_PX) return;
    if (!drag.moved) {
      drag.moved = true;
      drag.button.classList.add("dragged");
      line.hidden = !on.may(drag.button.dataset.tile ?? "");
      line.style.top = `${box.getBoundingClientRect().top - drag.button.offsetHeight * 0.15}px`;
    }
    drag.button.style.transform = `translate(${x}px, ${y}px)`;
    drag.armed = !line.hidden && e.clientY < line.getBoundingClientRect().top;
    line.classList.toggle("armed", drag.armed);
  };
  const drop = () => {
    if (!drag) return;
    const { button, moved, armed } = drag;
    end(!armed);
    if (armed) on.choose(button, true);
    else if (!moved) on.choose(button, button.getAttribute("aria-pressed") === "true");
  };
  box.addEventListener("pointerdown", start, { signal });
  addEventListener("pointermove", move, { signal });
  addEventListener("pointerup", drop, { signal });
  addEventListener("pointercancel", () => end(true), { signal });
}
