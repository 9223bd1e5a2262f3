// @ts-check
/** 贵州捉鸡 at the table: which tiles are 鸡, 冲锋 and 责任, 报听, 豆 and the wording of its points. */
import { t } from "../i18n.js";
import { mark, split } from "../view.js";
import { GENERIC, times, tokens } from "./generic.js";

const CYCLE = (/** @type {string} */ tile, /** @type {number} */ step) => `${((Number(tile[0]) - 1 + step + 9) % 9) + 1}${tile[1]}`;

/** Which kinds count as chickens now (GZ-13.1), held to the rules by tests/golden/faces.json. @param {import("../view.js").View} view @returns {Record<string, string>} */
function marks(view) {
  /** @type {Record<string, string>} */
  const found = { "1s": "鸡" };
  if (view.rules.wugu) found["8p"] = "鸡";
  const weekday = view.rules.weekday_chicken ? Number(mark(view, "weekday")) : 0;
  if (weekday) for (const suit of "ps") found[`${weekday}${suit}`] ??= "鸡";
  for (const { role, tile } of view.flips) {
    if (role !== "flip") continue;
    const hit = view.rules.up_down_chicken ? [CYCLE(tile, 1), CYCLE(tile, -1)] : [CYCLE(tile, 1)];
    for (const kind of hit) found[kind] = kind === "1s" || (view.rules.wugu && kind === "8p") ? "金" : "鸡";
    if (view.rules.self_chicken) found[tile] ??= "鸡";
  }
  return found;
}

/** First discarded copies of the default chickens: `charge` was not claimed, `duty` was. @param
 * {import("../view.js").View} view @param {"charge"|"duty"} name @returns {[string, number, number[]][]} */
const firsts = (view, name) => /** @type {any} */ (mark(view, name)) ?? [];

const KIND = { kong_exposed: "点豆", kong_added: "爬坡豆", kong_concealed: "闷豆", kong_late: "憨包豆" };

/** @type {Partial<import("./generic.js").Face>} */
export const FACE = {
  short: "贵州",
  show: { tile: "1s", mark: "鸡", tag: "两门 72 张 · 豆与鸡" },
  flipLabel: "翻鸡",
  callOf(event) {
    return event.type === "marked" && event.mark === "declared_ready" ? "报听" : GENERIC.callOf.call(this, event);
  },
  marks,
  kinds: KIND,
  aside: (view) => {
    const flip = view.flips.find((f) => f.role === "flip");
    if (flip) return { label: t("翻"), tiles: [flip.tile] };
    return { label: t("鸡"), tiles: Object.keys(marks(view)).slice(0, 4) };
  },
  chips(view, seat) {
    const chips = [];
    if (mark(view, "declared_ready", seat)) chips.push({ text: t("报听"), tone: /** @type {const} */ ("hot") });
    if (firsts(view, "duty").some(([, by]) => by === seat)) chips.push({ text: t("责任鸡"), tone: /** @type {const} */ ("warn") });
    return chips;
  },
  rowMark(view, seat, at) {
    const row = split(view.seats[seat].row);
    return firsts(view, "charge").some(([kind, by]) => by === seat && row.indexOf(kind) === at) ? "冲" : null;
  },
  label: (action) => {
    if (action.verb === "kong" || action.verb === "extend") return t(/** @type {Record<string, string>} */ (KIND)[action.choice] ?? "杠");
    return action.choice === "declare_ready" ? t("报听") : null;
  },
  glossary: [
    ["鸡", "jī", "Chicken: a tile that scores by itself. A tile flipped after the win names more of them."],
    ["豆", "dòu", "Bean: a kong that scores. It counts only if its owner is ready at the end."],
    ["闷豆", "mèndòu", "Closed bean: four in hand; everybody pays."],
    ["点豆", "diǎndòu", "A discard makes the fourth; only who threw it pays."],
    ["憨包豆", "hānbāodòu", "Late bean: declared too late, it scores nothing."],
    ["报听", "bàotīng", "Declare that you are ready; from then on your hand does not change."],
  ],
  dealing: (row) => (row.seat_facts.declared_ready ? ["报听"] : []),
  why: (line, names) =>
    ({
      hand: t("牌型分"),
      bean: t("豆分"),
      chicken: t("鸡分"),
      bao: t("包鸡：没听要赔"),
      duty: t("责任鸡"),
      check: t("查叫：没听赔听"),
      void: t("本局作废"),
    })[/** @type {string} */ (line.reason)] ?? t(names[line.reason] ?? line.reason),
  how(line, view, names) {
    const base = Number(view?.rules.base ?? 1);
    return [tokens(line.detail, names), view && times(line, base), base > 1 ? `${t("底")} ×${base}` : ""].filter(Boolean).join(" · ");
  },
};

/** @type {Record<string, string>} */
export const EN = {
  贵州: "Guizhou",
  贵州捉鸡: "Guizhou chicken",
  "两门 72 张 · 豆与鸡": "Two suits, 72 tiles · beans, chickens",
  鸡: "Chick",
  翻: "Flip",
  翻鸡: "Flip",
  点豆: "Bean",
  爬坡豆: "Added bean",
  闷豆: "Closed bean",
  憨包豆: "Late bean",
  责任鸡: "Duty chicken",
  牌型分: "Hand",
  豆分: "Beans",
  鸡分: "Chickens",
  "包鸡：没听要赔": "Not ready, pays chickens",
  "查叫：没听赔听": "Not ready pays ready",
};
