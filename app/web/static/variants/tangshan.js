// @ts-check
/** 大唐撸麻雀儿 at the table: 喜, 扣 and 订将, prices before the tap, and how its points are told. */
import { t } from "../i18n.js";
import { split } from "../view.js";
import { times, tokens } from "./generic.js";

const LIGHT = { high: { nines: 6, ones: 12, dragons: 12, winds: 32 }, low: { nines: 2, ones: 4, dragons: 4, winds: 8 } };

/** Base value P of a tile (TS-1.5). @param {string} tile */
function worth(tile) {
  const rank = Number(tile[0]);
  if (tile[1] === "z") return rank <= 4 ? 8 : 4;
  return rank === 1 ? 4 : rank === 9 ? 2 : 1;
}

/** @type {Partial<import("./generic.js").Face>} */
export const FACE = {
  slots: 17,
  aside: (view) => ({ label: view.rules.rob_xi ? t("抢喜开") : t(view.rules.scoring === "low" ? "低计分" : "高计分"), tiles: [] }),
  ask: (decision) => (decision.clock === "opening" ? t("开牌：可亮喜、可扣，完了点“过”") : ""),
  label: (action) => {
    if (action.verb === "extend") return t(action.choice === "xi_add" ? "补喜" : "杠");
    return null;
  },
  price(action, view) {
    const scoring = view.rules.scoring === "low" ? LIGHT.low : LIGHT.high;
    if (action.verb === "light") return `${t("每家")} +${/** @type {any} */ (scoring)[action.choice]}`;
    const tile = split(action.tiles)[0];
    if (action.choice === "xi_add") return `${t("每家")} +${worth(tile)}`;
    if (action.verb === "cover") return `${t("每家")} +${2 * worth(tile)}`;
    if (action.choice === "kong_concealed") return `${t("每家")} +${8 * worth(tile)}`;
    return null;
  },
  why: (line, names) =>
    ({
      pong: t("碰"),
      cover: t("扣，未开杠"),
      kong_exposed: t("明杠"),
      kong_concealed: t("暗杠"),
      xi_light: t("亮喜"),
      xi_add: t("补喜"),
      win_open: t("胡牌"),
      win_closed: t("门清胡牌"),
      win_xi_open: t("自摸成喜"),
      win_xi_closed: t("门清自摸成喜"),
      void: t("本局作废"),
    })[/** @type {string} */ (line.reason)] ?? t(names[line.reason] ?? line.reason),
  how: (line, _view, names) => [tokens(line.detail, names), times(line, 1)].filter(Boolean).join(" "),
  formula: (win, _view, names) => ({
    head: win.reading.patterns.map((/** @type {[string, number]} */ [p]) => t(names[p] ?? p)).join(t("、")),
    sum: "",
    price: win.source_seat === null || win.source_seat === undefined ? `${t("每家")} ${win.points}` : `${win.points} ${t("分")}`,
  }),
};
