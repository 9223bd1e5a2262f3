// @ts-check
/** The table's fixed frame: slots that never move, so that nothing jumps while discarding. Other modules fill them. */
import { h, icon } from "../dom.js";
import { lang, otherLanguage, t } from "../i18n.js";

/** @typedef {import("./present.js").Place} Place */
export const PLACES = /** @type {Place[]} */ (["left", "top", "right", "me"]);

/** The slot of a place's river. @param {Place} place */
export const riverSlot = (place) => `r${place[0].toUpperCase()}${place.slice(1)}`;

/** All slots, empty. @returns {Record<string, HTMLElement>} */
export function slots() {
  const seats = PLACES.map((place) => [place, h("section", { class: `seat ${place}` })]);
  const rivers = PLACES.map((place) => [riverSlot(place), h("div", { class: `river r-${place}`, role: "group" })]);
  return {
    ...Object.fromEntries([...seats, ...rivers]),
    title: h("div", { class: "ttl" }),
    centre: h("div", { class: "centre" }),
    hint: h("div", { class: "ting idle" }),
    dock: h("div", { class: "dock" }),
    hand: h("div", { class: "hand", role: "toolbar", "aria-label": t("手牌") }),
    bars: h("div", { class: "bars" }),
    fx: h("div", { class: "fx", "aria-hidden": "true" }),
    over: h("div", { class: "over-dock" }),
    sheet: h("div", { class: "overlay", hidden: true }),
    lobby: h("div", { class: "waiting", hidden: true }),
  };
}

/** The four rivers around the centre. @param {Record<string, HTMLElement>} s @param {string} cls */
export const rivers = (s, cls = "rivers") =>
  h("div", { class: cls }, h("div", { class: "rin" }, s.rLeft, h("div", { class: "mid" }, s.rTop, s.centre, s.rMe), s.rRight));

/** The frame with its slots and tools. @param {Record<string, HTMLElement>} s @param {any} menu */
export function frame(s, menu) {
  const tool = (
    /** @type {string} */ name,
    /** @type {string|null} */ label,
    /** @type {() => void} */ run,
    /** @type {any} */ kid,
    more = {},
  ) => h("button", { class: "icon", type: "button", "data-do": name, "aria-label": label, on: { click: run }, ...more }, kid);
  const english = lang === "en";
  return h(
    "main",
    { class: "app", "aria-label": t("牌桌") },
    h(
      "header",
      { class: "bl" },
      tool("menu", t("菜单"), () => menu.toggle(), icon("menu")),
      s.title,
    ),
    h(
      "nav",
      { class: "br", "aria-label": t("工具") },
      tool("lang", null, otherLanguage, english ? "中" : "EN", { lang: english ? "zh" : "en" }),
      tool("help", t("说明"), () => menu.help(), "?"),
      tool("phrases", t("短语"), () => menu.phrases(), icon("chat")),
    ),
    s.left,
    s.top,
    s.right,
    rivers(s),
    h("div", { class: "me-row" }, s.me, menu.quick, s.hint),
    s.dock,
    s.over,
    s.bars,
    s.fx,
    s.hand,
    menu.scrim,
    menu.element,
    s.lobby,
  );
}
