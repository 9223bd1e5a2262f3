// @ts-check
/** An operator's view of a running table, with the right to it: every hand, opened melds, rows. Never loaded by
 * players. */
import { h, signed } from "../dom.js";
import { lang, t } from "../i18n.js";
import { name, sprite, tile } from "../tiles.js";
import { split } from "../view.js";

/** @param {string} tiles */
const drawn = (tiles) =>
  h(
    "span",
    { class: "faces-line" },
    split(tiles).map((k) => tile(k, { label: name(k, lang) })),
  );

/** @param {any} table as `GET /admin/rooms/…/inspect` gives it @param {() => void} close */
export function inspection(table, close) {
  sprite();
  const { view, match } = table;
  return [
    h(
      "div",
      { class: "line spread" },
      h("b", { class: "num", text: view ? `${t("第 {0} 局", match.played + 1)} · ${t("剩")} ${view.left}` : t("还没有发牌。") }),
      h("button", { class: "btn sm quiet", type: "button", text: t("关闭"), on: { click: close } }),
    ),
    view
      ? h(
          "ul",
          { class: "seats-seen" },
          view.seats.map((/** @type {any} */ s, /** @type {number} */ at) => seat(s, at, view, match)),
        )
      : null,
    h(
      "details",
      {},
      h("summary", { text: t("原始数据") }),
      h("pre", { tabindex: 0, "aria-label": t("原始数据"), text: JSON.stringify(table, null, 1) }),
    ),
  ];
}

/** @param {any} s @param {number} at @param {any} view @param {any} match */
function seat(s, at, view, match) {
  const person = match.seats[at];
  return h(
    "li",
    {},
    h(
      "span",
      { class: "line" },
      h("b", { text: person?.bot ? `${t("电脑")}${at + 1}` : (person?.name ?? t("空位")) }),
      view.dealer === at ? h("span", { class: "chip hot", text: t("庄") }) : null,
      view.turn === at ? h("span", { class: "chip warn", text: t("轮到他") }) : null,
      h("small", { class: "num", text: signed(view.points[at]) }),
    ),
    h(
      "span",
      { class: "hand-seen" },
      s.melds.map((/** @type {any} */ m) => drawn(m.tiles ?? "")),
      s.hand ? drawn(s.hand) : h("small", { text: `${s.count} ${t("张")}` }),
    ),
    s.row ? h("span", { class: "row-seen" }, drawn(typeof s.row === "string" ? s.row : s.row.join(""))) : null,
  );
}
