// @ts-check
/**
 * The 听 strip: waits, how many of each I do not see, and what each would pay. Kinds and pay are the server's `hints`, asked
 * for when something of mine changes; the copies left are counted here, from the view, so it is right after every tile
 * that shows.
 */
import { h } from "../dom.js";
import { lang, t } from "../i18n.js";
import { settings } from "../settings.js";
import { tile } from "../tiles.js";
import { unseen } from "./present.js";
import { face } from "./pieces.js";

/** @typedef {{discard: string|null, waits: {tile: string, left: number, by_draw: number|null, by_claim: number|null}[]}} Hint */
/** @typedef {{tile: string, left: number, pay: number|null, wild: boolean}} Shown */

/** Waits by their pay, with the number of unseen copies. Wild kinds that pay the same are one. @param
 * {import("./pieces.js").Ctx} ctx @param {Hint} hint @returns {Shown[]} */
export function waits(ctx, hint) {
  /** @type {Shown[]} */
  const list = [];
  for (const w of hint.waits) {
    const pay = w.by_draw ?? w.by_claim;
    const left = unseen(ctx.view, ctx.me, w.tile);
    const wild = ctx.wilds.includes(w.tile);
    const same = wild && list.find((x) => x.wild && x.pay === pay);
    if (same) same.left += left;
    else list.push({ tile: w.tile, left, pay, wild });
  }
  return list.sort((a, b) => (b.pay ?? 0) - (a.pay ?? 0) || b.left - a.left);
}

/** The number of waits that fit beside my plate. */
const room = () => (innerHeight <= 480 ? 2 : innerWidth < 600 ? 3 : 5);

/** @param {import("./pieces.js").Ctx} ctx @param {string|null} discard @param {Shown[]} list @param {boolean} all @param {() => void} toggle */
export function hints(ctx, discard, list, all, toggle) {
  const one = (/** @type {Shown} */ w) =>
    h(
      "span",
      { class: `w${w.left ? "" : " none"}` },
      face(ctx, w.tile, { mark: w.wild ? ctx.face.wildGlyph : null, dim: !w.left }),
      h("small", { class: "num" }, h("b", { text: `×${w.left}` }), w.pay === null ? null : h("span", { text: `${w.pay}${t("分")}` })),
    );
  const more = list.length - room();
  const total = list.reduce((sum, w) => sum + w.left, 0);
  return [
    discard ? h("span", { class: "drop", "data-t": t("打") }, tile(discard, { lang })) : null,
    h("b", { text: t("听") }),
    ...list.slice(0, room()).map(one),
    more > 0
      ? h("button", {
          class: "more-waits num",
          type: "button",
          "aria-expanded": String(all),
          "aria-label": t("全部 {0} 种，余 {1} 张", list.length, total),
          text: `+${more}`,
          on: { click: toggle },
        })
      : null,
    all && more > 0
      ? h("div", { class: "all-waits", role: "group", "aria-label": t("全部 {0} 种，余 {1} 张", list.length, total) }, list.map(one))
      : null,
  ];
}

/** The inputs of the server's answer, besides discards of others. @param {any} table @param {import("./pieces.js").Ctx}
 * ctx */
function basis({ socket }, { view, me }) {
  const { hand, melds } = view.seats[me];
  const marks = view.marks.filter((m) => m.seat === null || m.seat === me);
  return JSON.stringify([socket.viewRound, view.phase, hand, melds.length, marks]);
}

/** Asks for my waits whenever something they rest on has changed; until the answer is there, those of my discard hold. @param {any} table @param {import("./pieces.js").Ctx} ctx */
export async function fetchHints(table, ctx) {
  const { view, me } = ctx;
  if (!settings.hints || table.seat === null || view.phase === "over" || !view.seats[me].hand) return;
  const key = basis(table, ctx);
  if (key === table.hintKey) return;
  table.hintKey = key;
  const thrown = view.last?.[0] === me ? view.last[1] : undefined;
  table.hintList = (table.hintList ?? []).flatMap((/** @type {Hint} */ x) => (x.discard === thrown ? [{ ...x, discard: null }] : []));
  try {
    const { hints: list } = await table.socket.send("hints");
    if (table.hintKey !== key) return;
    table.hintList = list ?? [];
    table.schedule();
  } catch {
    if (table.hintKey === key) table.hintKey = "";
  }
}
