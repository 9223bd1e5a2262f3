// @ts-check
/** My hand: a toolbar of tiles with roving focus; tap to pick, tap again, drag up or press Enter to discard. */
import { h } from "../dom.js";
import { lang, t } from "../i18n.js";
import { name } from "../tiles.js";
import { draggable } from "./drag.js";
import { keptTile, meld } from "./pieces.js";

/** @typedef {import("./identity.js").Piece} Piece */
/** @typedef {{selected: string|null, picked: number|null, allowed: Set<string>, dimOthers: boolean, timed: string|null}} Now */

/**
 * The rows of my hand: on a narrow screen two, on others one. @param {import("./pieces.js").Ctx} ctx @param {Now} now
 * `picked`: which of equal tiles; `timed`: the kind that the clock would throw @param {boolean} [still] only to look at
 */
export function hand(ctx, now, still = false) {
  const { hand: tiles, drawn, melds } = ctx.pieces.seats[ctx.me];
  const lower = Math.min(tiles.length + (drawn ? 1 : 0), ctx.face.slots === 17 ? 9 : 7);
  const cut = Math.max(0, tiles.length - (lower - (drawn ? 1 : 0)));
  const all = drawn ? [...tiles, drawn] : tiles;
  const chosen =
    all.find((p) => p.id === now.picked && p.kind === now.selected) ?? (now.selected && all.findLast((p) => p.kind === now.selected));
  const timed = now.timed && all.findLast((p) => p.kind === now.timed);
  const draw = (/** @type {Piece} */ piece, /** @type {number} */ at) =>
    still
      ? h("span", { class: `tilebtn${piece === drawn ? " apart" : ""}` }, keptTile(ctx, piece))
      : button(ctx, piece, now, { first: at === 0, apart: piece === drawn, selected: piece === chosen, timed: piece === timed });
  const shown = all.map(draw);
  const own = ctx.view.seats[ctx.me].melds;
  return [
    h(
      "div",
      { class: "hrow up" },
      own.length
        ? h(
            "div",
            { class: `melds own${own.length > 3 ? " many" : ""}` },
            own.map((m, at) => meld(ctx, m, ctx.me, true, melds[at])),
          )
        : null,
      shown.slice(0, cut),
    ),
    h("div", { class: "hrow low" }, shown.slice(cut)),
  ];
}

/** A tile's button; it is the same one for as long as the tile is in the hand, so that a drag outlives a redraw. @param {import("./pieces.js").Ctx} ctx @param {Piece} piece @param {Now} now @param {{first: boolean, apart: boolean, selected: boolean, timed: boolean}} look */
function button(ctx, piece, now, { first, apart, selected, timed }) {
  const kind = piece.kind ?? "";
  const off = now.dimOthers && !now.allowed.has(kind);
  const said = [
    name(kind, lang, ctx.face.dots),
    ctx.wilds.includes(kind) && t(ctx.face.wildName),
    apart && t("刚摸的"),
    timed && t("到时打出这张"),
  ];
  const b = ctx.tiles.button(piece.id);
  b.className = `tilebtn${apart ? " apart" : ""}${b.classList.contains("dragged") ? " dragged" : ""}`;
  b.dataset.tile = kind;
  b.setAttribute("aria-pressed", String(selected));
  b.setAttribute("aria-label", said.filter(Boolean).join("，"));
  b.toggleAttribute("aria-disabled", off);
  if (off) b.setAttribute("aria-disabled", "true");
  b.tabIndex = first ? 0 : -1;
  b.replaceChildren(keptTile(ctx, { ...piece, kind }, { selected, dim: off, timed, label: "" }));
  return b;
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
  // One of several equal tiles is shown lifted: the focus goes with it, so that Enter means the tile one sees.
  const lifted = buttons.findIndex((b) => b.dataset.tile === held?.dataset.tile && b.getAttribute("aria-pressed") === "true");
  const at = lifted >= 0 ? lifted : Math.min(before, buttons.length - 1);
  buttons.forEach((b, i) => (b.tabIndex = i === at ? 0 : -1));
  buttons[at]?.focus();
}

/**
 * Listeners of the hand's toolbar. @param {HTMLElement} box
 * @param {{choose: (tile: string, sure: boolean, id: number) => void, may: (tile: string) => boolean}} on `sure`: a drag over the line, or
 * the second tap, not a first one; `may`: can this tile be discarded now
 * @param {AbortSignal} signal
 */
export function listen(box, on, signal) {
  const choose = (/** @type {HTMLElement} */ b, /** @type {boolean} */ sure) => on.choose(b.dataset.tile ?? "", sure, Number(b.dataset.id));
  box.addEventListener("keydown", (e) => step(box, e, choose), { signal });
  draggable(box, { choose, may: on.may }, signal);
}

/** Arrows go from tile to tile, Enter picks or discards. @param {HTMLElement} box @param {KeyboardEvent} e @param {(button: HTMLElement, sure: boolean) => void} choose */
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
    choose(b, b.getAttribute("aria-pressed") === "true");
  }
}
