// @ts-check
/** The plaque in the middle: the rest of the wall, the winds and the dealer, and the special tiles of this round. */
import { h } from "../dom.js";
import { lang, t } from "../i18n.js";
import { tile } from "../tiles.js";
import { placeOf } from "./present.js";

const WINDS = "東南西北";
const SIDES = 4;

/** The centre. @param {import("./pieces.js").Ctx} ctx @param {number} whole tiles that the wall had; 0: nobody knows */
export function centre(ctx, whole) {
  const aside = ctx.face.aside(ctx.view);
  return [
    ...(whole ? walls(ctx.view.left, whole) : []),
    ...compass(ctx),
    h("div", { class: "wall" }, h("b", { class: "num", text: ctx.view.left }), h("span", { text: t("余") })),
    aside.label || aside.tiles.length
      ? h(
          "div",
          { class: "aside" },
          aside.label ? h("span", { text: aside.label }) : null,
          aside.tiles.length
            ? h(
                "span",
                { class: aside.tiles.length > 3 ? "ts many" : "ts" },
                aside.tiles.map((k) => tile(k, { lang, dots: ctx.face.dots })),
              )
            : null,
        )
      : null,
  ];
}

/** The walls as stacks of two along the plaque's edges; they shrink side by side. @param {number} left @param {number} whole */
function walls(left, whole) {
  const each = Math.ceil(whole / 2 / SIDES);
  const stacks = Math.ceil(left / 2);
  return [0, 1, 2, 3].map((side) => {
    const count = Math.max(0, Math.min(each, stacks - each * (SIDES - 1 - side)));
    return h("i", { class: `stacks side${side}`, "aria-hidden": "true", hidden: count === 0, css: { "--n": count, "--of": each } });
  });
}

/** Each seat's wind, from the dealer on in the order of play; the dealer's plaque beside it. @param {import("./pieces.js").Ctx} ctx */
function compass(ctx) {
  const { players, dealer } = ctx.view;
  return Array.from({ length: players }, (_x, seat) => {
    const wind = WINDS[(seat - dealer + players) % players];
    const place = placeOf(seat, ctx.me, players);
    return h(
      "b",
      { class: `wind at-${place}`, lang: "zh", "aria-hidden": "true", text: wind },
      seat === dealer ? h("i", { text: "庄" }) : null,
    );
  });
}
