// @ts-check
/** The 听 strip: waits, how many are left, and what each would pay. Values come from the server's `hints`. */
import { h } from "../dom.js";
import { lang, t } from "../i18n.js";
import { tile } from "../tiles.js";
import { face } from "./pieces.js";

const SHOWN = 5;

/** @param {import("./pieces.js").Ctx} ctx @param {{discard: string|null, waits: {tile: string, left: number, by_draw: number|null, by_claim: number|null}[]}} hint */
export function hints(ctx, hint) {
  /** @type {{tile: string, left: number, pay: number|null, wild: boolean}[]} */
  const list = [];
  for (const w of hint.waits) {
    const pay = w.by_draw ?? w.by_claim;
    const wild = ctx.wilds.includes(w.tile);
    const same = wild && list.find((x) => x.wild && x.pay === pay);
    if (same) same.left += w.left;
    else list.push({ tile: w.tile, left: w.left, pay, wild });
  }
  list.sort((a, b) => (b.pay ?? 0) - (a.pay ?? 0) || b.left - a.left);
  const more = list.length - SHOWN;
  return [
    hint.discard ? h("span", { class: "drop", "data-t": t("打") }, tile(hint.discard, { lang })) : null,
    h("b", { text: t("听") }),
    ...list
      .slice(0, SHOWN)
      .map((w) =>
        h(
          "span",
          { class: `w${w.left ? "" : " none"}` },
          face(ctx, w.tile, { mark: w.wild ? "混" : null, dim: !w.left }),
          h("small", { class: "num" }, h("b", { text: `×${w.left}` }), w.pay === null ? null : h("span", { text: `${w.pay}${t("分")}` })),
        ),
      ),
    more > 0 ? h("small", { class: "num", text: `+${more}` }) : null,
  ];
}
