// @ts-check
/** My hand: a toolbar of tiles with roving focus; tap to pick, tap again, drag up or press Enter to discard. */
import { h } from "../dom.js";
import { lang, t } from "../i18n.js";
import { name } from "../tiles.js";
import { draggable } from "./drag.js";
import { handTiles } from "./present.js";
import { face, meld } from "./pieces.js";

/**
 * The rows of my hand: on a narrow screen two, on others one. @param {import("./pieces.js").Ctx} ctx
 * @param {{selected: string|null, allowed: Set<string>, dimOthers: boolean}} now @param {boolean} [still] only to look at
 */
export function hand(ctx, now, still = false) {
  const seat = ctx.view.seats[ctx.me];
  const { tiles, drawn } = handTiles(ctx.view, ctx.me, ctx.wilds);
  const slots = ctx.face.slots;
  const lower = Math.min(tiles.length + (drawn ? 1 : 0), slots === 17 ? 9 : 7);
  const cut = Math.max(0, tiles.length - (lower - (drawn ? 1 : 0)));
  let marked = false;
  const button = (/** @type {string} */ kind, /** @type {number} */ at, /** @type {boolean} */ apart) => {
    const selected = !marked && now.selected === kind && (apart || !drawn || drawn !== kind);
    if (selected) marked = true;
    if (still) return h("span", { class: `tilebtn${apart ? " apart" : ""}` }, face(ctx, kind));
    const off = now.dimOthers && !now.allowed.has(kind);
    return h(
      "button",
      {
        class: `tilebtn${apart ? " apart" : ""}`,
        type: "button",
        "data-tile": kind,
        "aria-pressed": String(selected),
        "aria-label":
          name(kind, lang, ctx.face.dots) +
          (ctx.wilds.includes(kind) ? `，${t(ctx.face.wildName)}` : "") +
          (apart ? `，${t("刚摸的")}` : ""),
        "aria-disabled": off ? "true" : null,
        tabindex: at === 0 ? 0 : -1,
      },
      face(ctx, kind, { selected, dim: off, label: "" }),
    );
  };
  const all = tiles.map((kind, at) => button(kind, at, false));
  const own = seat.melds;
  return [
    h(
      "div",
      { class: "hrow up" },
      own.length
        ? h(
            "div",
            { class: `melds own${own.length > 3 ? " many" : ""}` },
            own.map((m) => meld(ctx, m, ctx.me, true)),
          )
        : null,
      all.slice(0, cut),
    ),
    h("div", { class: "hrow low" }, all.slice(cut), drawn ? button(drawn, all.length ? -1 : 0, true) : null),
  ];
}

/**
 * Redraws the toolbar without losing the focus that was in it. @param {HTMLElement} box @param {() => void} draw
 */
export function keepFocus(box, draw) {
  const held = /** @type {HTMLElement|null} */ (document.activeElement);
  const before = [...box.querySelectorAll(".tilebtn")].indexOf(/** @type {Element} */ (held));
  draw();
  if (before < 0 || box.contains(document.activeElement)) return;
  const buttons = /** @type {HTMLElement[]} */ ([...box.querySelectorAll(".tilebtn")]);
  // Of several equal tiles one is shown lifted: the focus goes with it, so that Enter means the tile one sees.
  const lifted = buttons.findIndex((b) => b.dataset.tile === held?.dataset.tile && b.getAttribute("aria-pressed") === "true");
  const at = lifted >= 0 ? lifted : Math.min(before, buttons.length - 1);
  buttons.forEach((b, i) => (b.tabIndex = i === at ? 0 : -1));
  buttons[at]?.focus();
}

/**
 * Listeners of the hand's toolbar. @param {HTMLElement} box
 * @param {{choose: (tile: string, sure: boolean) => void, may: (tile: string) => boolean}} on `sure`: a drag over the line, or
 * the second tap, not a first one; `may`: can this tile be discarded now
 * @param {AbortSignal} signal
 */
export function listen(box, on, signal) {
  box.addEventListener("keydown", (e) => step(box, e, on.choose), { signal });
  const choose = (/** @type {HTMLElement} */ button, /** @type {boolean} */ sure) => on.choose(button.dataset.tile ?? "", sure);
  draggable(box, { choose, may: on.may }, signal);
}

/** Arrows go from tile to tile, Enter picks or discards. @param {HTMLElement} box @param {KeyboardEvent} e @param {(tile: string, sure: boolean) => void} choose */
function step(box, e, choose) {
  const by = /** @type {Record<string, number>} */ ({ ArrowRight: 1, ArrowLeft: -1 })[e.key];
  const buttons = /** @type {HTMLElement[]} */ ([...box.querySelectorAll(".tilebtn")]);
  if (by && buttons.length) {
    const now = buttons.indexOf(/** @type {HTMLElement} */ (document.activeElement));
    const next = buttons[(now + by + buttons.length) % buttons.length];
    for (const b of buttons) b.tabIndex = b === next ? 0 : -1;
    next.focus();
    e.preventDefault();
  } else if (e.key === "Enter") {
    const b = /** @type {HTMLElement|null} */ (/** @type {Element} */ (e.target).closest(".tilebtn"));
    if (!b) return;
    e.preventDefault();
    choose(b.dataset.tile ?? "", b.getAttribute("aria-pressed") === "true");
  }
}
