// @ts-check
/** Temporary texts of the title line: lost connection, frozen, saving, vote, how it ended, pause; autoplay in the dock.
 * */
import { h, icon, redraw } from "../dom.js";
import { t } from "../i18n.js";
import { ring } from "./pieces.js";

const VOTE_MS = 60_000;

/** @param {any} ic @param {string} title @param {string} line @param {HTMLElement|null} [button] @param {string} [role] */
const banner = (ic, title, line, button = null, role = "status") =>
  h("div", { class: "banner", role }, icon(ic), h("span", {}, h("b", { text: t(title) }), h("small", { text: t(line) })), button);

/** The one banner that matters most. @param {any} table the screen @param {any} match */
function foremost(table, match) {
  const retry = h("button", { class: "btn sm", type: "button", text: t("立即重试"), on: { click: () => table.socket.retry() } });
  if (table.line === "lost") return banner("off", "连接中断，正在重连", "牌已保存，计时照走", retry, "alert");
  if (match.frozen) return banner("stop", "牌桌已停下", match.frozen_note ?? "运营人员已收到通知，分数都在", null, "alert");
  if (table.saving) return banner("clock", "正在保存…", "存好之前谁也看不到新牌");
  return null;
}

/**
 * One bar at a time in the title line, above every sheet; the states that may cost the game come first. Autoplay has
 * its own place, that of the dock which it stands for. @param {any} table @param {any} match
 */
export function drawBars(table, match) {
  const mine = table.seat === null ? null : match.seats[table.seat];
  const auto = Boolean(mine?.autoplay) && match.phase === "playing";
  const said = [
    table.seat,
    match.phase,
    table.line,
    table.saving,
    match.vote,
    match.pause,
    match.frozen,
    match.frozen_note,
    table.passing.news,
  ];
  redraw(table.slots.bars, said, () => [foremost(table, match) ?? vote(table, match) ?? news(table) ?? pause(table, match)]);
  redraw(table.slots.over, [auto && table.line !== "lost"], () => [auto && table.line !== "lost" ? autobar(table) : null]);
}

/** @param {any} table */
const autobar = (table) =>
  h(
    "div",
    { class: "autobar", role: "status" },
    h("span", { text: t(table.socket.match?.ranked ? "托管中：会自动胡，不碰不杠；这局照样计入等级" : "托管中：会自动胡，不碰不杠") }),
    h("button", {
      class: "btn main sm",
      type: "button",
      text: t("取消托管"),
      on: { click: () => table.ask("autoplay", { on: false }) },
    }),
  );

/** @param {any} table */
const news = (table) => table.passing.news && h("div", { class: "votebar", role: "status" }, h("b", { text: table.passing.news }));

/** @param {any} table @param {any} match */
function vote(table, match) {
  const open = match.vote;
  if (!open) return null;
  const mine = table.seat !== null && open.answers[table.seat] === null;
  const told = open.answers.map((/** @type {boolean|null} */ answer, /** @type {number} */ seat) =>
    h("i", {
      class: answer === null ? "" : answer ? "yes" : "no",
      role: "img",
      "aria-label": `${table.who(seat)} ${t(answer === null ? "还没回答" : answer ? "同意" : "不同意")}`,
      text: answer === null ? "·" : answer ? "✓" : "✕",
    }),
  );
  return h(
    "div",
    { class: "votebar", role: "group", "aria-label": t("申请解散") },
    ring(table.left("vote") ?? open.left_ms ?? VOTE_MS, VOTE_MS),
    h("span", {}, h("b", { text: t("{0} 申请解散房间", table.who(open.by)) }), h("small", { class: "told" }, told)),
    mine
      ? [
          h("button", {
            class: "btn sm",
            type: "button",
            "data-vote": "yes",
            text: t("同意"),
            on: { click: () => table.ask("vote", { yes: true }) },
          }),
          h("button", {
            class: "btn sm",
            type: "button",
            "data-vote": "no",
            text: t("不同意"),
            on: { click: () => table.ask("vote", { yes: false }) },
          }),
        ]
      : h("small", { text: t("等待其他人") }),
  );
}

/** @param {any} table @param {any} match */
function pause(table, match) {
  const asked = match.pause;
  if (!asked) return null;
  const mine = table.seat !== null && !asked.asked[table.seat];
  const who = asked.asked.flatMap((/** @type {boolean} */ yes, /** @type {number} */ seat) => (yes ? [table.who(seat)] : [])).join("、");
  return h(
    "div",
    { class: "votebar", role: "group", "aria-label": t("暂停") },
    h("span", {}, h("b", { text: asked.on ? t("暂停中，随时可以继续") : t("{0} 想在下一局前暂停", who) })),
    asked.on && table.seat !== null
      ? h("button", { class: "btn sm", type: "button", text: t("继续"), on: { click: () => table.ask("unpause") } })
      : null,
    !asked.on && mine ? h("button", { class: "btn sm", type: "button", text: t("同意"), on: { click: () => table.ask("pause") } }) : null,
  );
}
