// @ts-check
/** 天津麻将 at the table: 混儿, 坐庄/拉庄, 小相公, 铲, and the wording of its arithmetic. */
import { t } from "../i18n.js";
import { mark, split } from "../view.js";
import { GENERIC, tokens } from "./generic.js";

const PULL = ["不拉", "拉一", "拉二"];
/** The same in the past tense. */
const PULLED = ["没拉", "拉一", "拉二"];

/** A seat's choices before the deal, once all have answered. @param {import("../view.js").View} view @param {number}
 * seat */
function answer(view, seat) {
  const shown = view.answers.find((a) => a.what === "sit_pull");
  return shown ? shown.values[seat] : null;
}

/** @param {import("../view.js").View} view @returns {string[]} */
const wilds = (view) => {
  const value = mark(view, "wilds");
  return typeof value === "string" ? split(value) : (value ?? []);
};

/** @type {Partial<import("./generic.js").Face>} */
export const FACE = {
  short: "天津",
  show: { tile: "5m", wild: true, tag: "混儿 · 只自摸 · 坐庄拉庄" },
  dots: "饼",
  unit: "盘",
  amount: "番",
  wilds,
  throws: { break: "开牌墙", indicator: "开混" },
  wildGlyph: "混",
  wildName: "混儿",
  warnLabel: "打混儿前先问",
  warnDiscard: (view, tile) => (wilds(view).includes(tile) ? t("打出混儿后本盘不能胡。再按一次打出") : null),
  aside: (view) => ({ label: wilds(view).length ? t("混") : "", tiles: wilds(view) }),
  callOf(event) {
    return event.type === "marked" && event.mark === "follow" && event.value ? "铲" : GENERIC.callOf.call(this, event);
  },
  chips(view, seat) {
    const chips = [];
    const chose = answer(view, seat);
    if (seat === view.dealer && chose) chips.push({ text: t("坐庄"), tone: /** @type {const} */ ("hot") });
    if (seat !== view.dealer && Number(chose) > 0) chips.push({ text: t(PULL[Number(chose)]), tone: /** @type {const} */ ("hot") });
    if (mark(view, "dead_hand", seat)) chips.push({ text: t("相公"), tone: /** @type {const} */ ("warn") });
    return chips;
  },
  dimmed: (view, tile) => wilds(view).includes(tile),
  ask: (decision, view) => {
    if (decision.clock === "answer") {
      return t(
        decision.options.some((/** @type {any} */ o) => o.verb === "sit")
          ? "开局前：是否坐庄？四家同时亮出"
          : "开局前：是否拉庄？四家同时亮出",
      );
    }
    return mark(view, "follow") ? t("铲：庄家要付每家") : "";
  },
  label: (action) => {
    if (action.verb === "sit") return t(action.choice ? "坐庄" : "不坐");
    if (action.verb === "pull") return t(PULL[Number(action.choice)]);
    return null;
  },
  glossary: [
    ["混儿", "hùnr", "Wild tiles: the kind of the flipped tile and the next one. Throw one and you cannot win this round."],
    ["坐", "zuò", "Sit: the dealer doubles what is won and lost with everybody."],
    ["拉", "lā", "Pull: a player doubles, once or twice, what is won and lost with the dealer."],
    ["铲", "chǎn", "Follow: the first four discards of a round are equal, and the dealer pays everybody."],
    ["番", "fān", "The unit in which a hand is priced."],
    ["相公", "xiànggong", "A hand that cannot win any more."],
  ],
  dealing: (row) =>
    [
      row.is_dealer && "sit" in row.round_facts && (row.round_facts.sit ? "坐庄" : "没坐"),
      !row.is_dealer && "pull" in row.seat_facts && PULLED[row.seat_facts.pull],
      row.seat_facts.dead_hand && "小相公",
      row.round_facts.follow === true && row.is_dealer && "铲",
    ].filter(Boolean),
  levelTile: (level) => (level === "雀神" ? { tile: "1s", mark: "神" } : GENERIC.levelTile(level)),
  why: (line, names) =>
    ({ win: t("胡牌"), kong_points: t("杠分"), follow: t("铲：前四张同牌"), cap: t("封顶调整"), void: t("本盘作废") })[
      /** @type {string} */ (line.reason)
    ] ?? t(names[line.reason] ?? line.reason),
  how(line, view, names) {
    const parts = [tokens(line.detail, names)];
    if (!view) return parts[0];
    const between = [line.source, line.target];
    if (line.reason !== "cap" && between.includes(view.dealer)) {
      const other = between[0] === view.dealer ? between[1] : between[0];
      if (answer(view, view.dealer)) parts.push(`${t("坐庄")} ×2`);
      const pull = Number(answer(view, other) ?? 0);
      if (pull) parts.push(`${t(PULL[pull])} ×${2 ** pull}`);
    }
    if (Number(view.rules.base) > 1 && line.reason !== "cap") parts.push(`${t("底")} ×${view.rules.base}`);
    return parts.filter(Boolean).join(" · ");
  },
  formula: (win, _view, names) => ({
    head: win.reading.patterns.map((/** @type {[string, number]} */ [p]) => t(names[p] ?? p)).join(" "),
    sum: t("坐庄、拉庄的输赢再翻倍"),
    price: `${win.reading.value} ${t("番")}`,
  }),
};

/** @type {Record<string, string>} */
export const EN = {
  坐: "Sit",
  拉: "Pull",
  天津: "Tianjin",
  天津麻将: "Tianjin mahjong",
  "混儿 · 只自摸 · 坐庄拉庄": "Wild tiles · self-draw only · sit and pull",
  混儿: "wild",
  开混: "for the wilds",
  盘: "rounds",
  番: "fan",
  混: "Wild",
  相公: "Dead",
  坐庄: "Sit",
  不坐: "No",
  不拉: "No pull",
  拉一: "Pull 1",
  拉二: "Pull 2",
  "开局前：是否坐庄？四家同时亮出": "Before the deal: sit? All reveal together",
  "开局前：是否拉庄？四家同时亮出": "Before the deal: pull? All reveal together",
  "铲：庄家要付每家": "Follow: the dealer owes everyone",
  "打出混儿后本盘不能胡。再按一次打出": "A discarded wild bars you from winning. Discard again to confirm",
  打混儿前先问: "Ask before a wild goes",
  本盘作废: "Void round",
  杠分: "Kong points",
  "铲：前四张同牌": "Follow: four equal discards",
  封顶调整: "Cap",
  没坐: "Did not sit",
  没拉: "No pull",
  小相公: "Threw a wild",
  铲: "Follow",
  "坐庄、拉庄的输赢再翻倍": "Sit and pull double between dealer and player",
};
