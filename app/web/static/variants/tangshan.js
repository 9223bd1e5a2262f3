// @ts-check
/** 大唐撸麻雀儿 at the table: 喜, 扣 and 订将, prices before the tap, and the wording of its points. */
import { t } from "../i18n.js";
import { split } from "../view.js";
import { GENERIC, times, tokens } from "./generic.js";

// Prices and sets are held to the rules by tests/golden/faces.json.
const LIGHT = { high: { nines: 6, ones: 12, dragons: 12, winds: 32 }, low: { nines: 2, ones: 4, dragons: 4, winds: 8 } };

/** The sets that may be lit (TS-7.1). @type {Record<string, string[]>} */
const XI = { ones: ["1m", "1p", "1s"], nines: ["9m", "9p", "9s"], dragons: ["5z", "6z", "7z"], winds: ["1z", "2z", "3z", "4z"] };

/** Base value P of a tile (TS-1.5). @param {string} tile */
function worth(tile) {
  const rank = Number(tile[0]);
  if (tile[1] === "z") return rank <= 4 ? 8 : 4;
  return rank === 1 ? 4 : rank === 9 ? 2 : 1;
}

/** @type {Partial<import("./generic.js").Face>} */
export const FACE = {
  short: "大唐",
  show: { tile: "7z", mark: "喜", tag: "16 张 · 亮喜与扣" },
  slots: 17,
  words: { extend: "补喜", pair_claim: "订将", light: "亮喜" },
  calls: { pair_claim: "订将", ones: "亮喜", nines: "亮喜", dragons: "亮喜", winds: "亮喜" },
  groupKey: (action) => (action.choice === "xi_add" ? "extend" : GENERIC.groupKey(action)),
  choiceTiles: (action, view) => (action.verb === "light" ? XI[action.choice] : GENERIC.choiceTiles(action, view)),
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
  glossary: [
    ["喜", "xǐ", "A bonus set: all ones, all nines, the dragons, or the winds."],
    ["亮", "liàng", "Light: lay a complete bonus set open; it is paid."],
    ["扣", "kòu", "Cover: lay three of a kind face down; it is paid at the end."],
    ["订将", "dìngjiàng", "Take a discard for your pair."],
    ["补喜", "bǔxǐ", "Add a tile to a bonus set that you have lit."],
  ],
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

/** @type {Record<string, string>} */
export const EN = {
  大唐: "Tangshan",
  大唐撸麻雀儿: "Tangshan sparrow",
  "16 张 · 亮喜与扣": "16 tiles · lit and covered sets",
  亮喜: "Light",
  补喜: "Add",
  订将: "Pair",
  "开牌：可亮喜、可扣，完了点“过”": "Opening: light, cover, then pass",
  抢喜开: "Rob xi on",
  高计分: "High",
  低计分: "Low",
  "扣，未开杠": "Cover",
  门清胡牌: "Closed win",
  自摸成喜: "Xi by draw",
  门清自摸成喜: "Closed xi by draw",
};
