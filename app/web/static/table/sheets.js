// @ts-check
/** The sheet over the table between rounds and at the end: settlement, its short form after a reload, ranking. */
import { post } from "../api.js";
import { h, icon, redraw } from "../dom.js";
import { t } from "../i18n.js";
import { replayLink, share as shareLink } from "../links.js";
import { Refusal } from "../socket.js";
import { toast } from "../speak.js";
import { gone } from "./gone.js";
import { ring } from "./pieces.js";
import { kept, ranking, settlement } from "./settlement.js";

const NEXT_MS = 30_000;
const SHARE_TRIES = 5;
const SHARE_PAUSE_MS = 1_200;

/** A settled round, kept to be looked at again. @typedef {{ctx: import("./pieces.js").Ctx, match: any, round: number, title: string, verified: import("../verify.js").Fair|null}} Kept */

/** @param {any} table the screen @param {import("../view.js").View|null} view @param {any} match */
export function drawSheet(table, view, match) {
  const box = /** @type {HTMLElement} */ (table.slots.sheet);
  const over = ["between", "ended"].includes(match.phase);
  const back = !over && table.looksBack ? table.lastRound : null;
  const open = (table.sheetOpen && over) || back !== null;
  const was = box.hidden;
  box.hidden = !open;
  const settled = view?.phase === "over" ? view : null;
  if (settled && table.ctx && over) {
    table.lastRound = { ctx: table.ctx, match, round: table.socket.viewRound, title: table.roundTitle(match), verified: table.checked };
  }
  if (!open) return;
  if (back) lookBack(table, box, back);
  else drawOver(table, box, settled, match);
  if (was) /** @type {HTMLElement|null} */ (box.querySelector(".sheet"))?.focus();
}

/**
 * Puts a sheet on, and its buttons apart from it: when a player gets ready, neither the scroll position nor an open
 * line is lost. @param {HTMLElement} box @param {unknown} key @param {() => HTMLElement} sheet @param {unknown} footKey
 * @param {() => (HTMLElement|null)[]} buttons
 */
function show(box, key, sheet, footKey, buttons) {
  redraw(box, key, () => [sheet()]);
  redraw(/** @type {HTMLElement} */ (box.querySelector("footer")), footKey, buttons);
}

/** The settlement of the last round over the running one. @param {any} table @param {HTMLElement} box @param {Kept} last */
function lookBack(table, box, last) {
  const more = { who: (/** @type {number} */ s) => table.who(s), verified: last.verified, title: last.title, buttons: [] };
  show(
    box,
    ["back", last.round],
    () => settlement(last.ctx, last.match, table.names, { ...more, me: table.seat }),
    "back",
    () => [shareButton(table, last), closeButton(table, "btn main")],
  );
}

/** Between rounds and at the end. @param {any} table @param {HTMLElement} box @param {import("../view.js").View|null} settled @param {any} match */
function drawOver(table, box, settled, match) {
  const who = (/** @type {number} */ s) => table.who(s);
  const names = match.seats.map((/** @type {any} */ s) => s?.name);
  const mine = table.seat === null ? null : match.seats[table.seat]?.ready;
  const foot = [match.phase, mine, table.over, table.countdown("next_round"), Boolean(table.socket.view)];
  if (match.phase === "ended" && (table.rankingOpen || !settled)) {
    const ready = match.seats.map((/** @type {any} */ s) => s?.ready);
    const sheet = () =>
      ranking(match, who, [], table.seat, table.over && { reason: table.over, said: [t(gone.text(table.over)), match.ended?.note] });
    return show(box, ["rank", match.ended, names, ready, table.over], sheet, foot, () => endButtons(table, ready));
  }
  const more = { who, verified: table.checked, title: table.roundTitle(match), buttons: [] };
  const sheet = () =>
    settled && table.ctx
      ? settlement(table.ctx, match, table.names, { ...more, me: table.seat })
      : kept(match, table.face, table.names, table.seat, more);
  show(box, ["round", table.socket.viewRound, settled?.ended, match.totals, names, table.checked], sheet, foot, () =>
    match.phase === "ended" ? lastButtons(table) : nextButtons(table, match),
  );
}

/** @param {any} table @param {Kept} [kept] */
const shareButton = (table, kept) =>
  h("button", { class: "btn sm", type: "button", "data-do": "share", on: { click: () => share(table, kept) } }, icon("share"), t("分享"));

/** @param {any} table @param {string} cls */
const closeButton = (table, cls) =>
  h("button", { class: cls, type: "button", "data-do": "table", text: t("看牌桌"), on: { click: () => table.closeSheet() } });

/** @param {any} table @param {any} match */
function nextButtons(table, match) {
  const ready = table.seat !== null && match.seats[table.seat]?.ready;
  const left = table.left("next_round");
  return [
    shareButton(table),
    table.socket.view && closeButton(table, "btn sm"),
    table.seat === null
      ? h("a", { class: "btn sm", href: "#/", "data-do": "lobby", text: t("回大厅") })
      : h(
          "button",
          { class: "btn main", type: "button", "data-do": "ready", disabled: ready, on: { click: () => table.ready() } },
          t(ready ? "等待其他人" : "准备"),
          left === null ? null : ring(left, NEXT_MS, 14),
        ),
  ];
}

/** @param {any} table */
function lastButtons(table) {
  const show = () => {
    table.rankingOpen = true;
    table.schedule();
  };
  return [
    shareButton(table),
    h("button", { class: "btn main", type: "button", "data-do": "ranking", text: t("看名次"), on: { click: show } }),
  ];
}

/** @param {any} table @param {boolean[]} ready */
function endButtons(table, ready) {
  const mine = table.seat !== null && !table.over;
  return [
    h("a", { class: "btn sm", href: "#/history", text: t("战绩") }),
    h("a", { class: "btn sm", href: "#/", text: t("回大厅") }),
    mine
      ? h("button", {
          class: "btn main",
          type: "button",
          "data-do": "ready",
          disabled: ready[table.seat],
          text: t(ready[table.seat] ? "等待其他人" : "再来一场"),
          on: { click: () => table.ready() },
        })
      : null,
  ];
}

/** A link to the replay of the round on show, and its code. The archive may need a moment after a settlement. @param {any} table @param {Kept} [kept] */
async function share(table, kept) {
  const { room } = table.socket;
  const match = kept?.match ?? table.socket.match;
  const round = kept?.round ?? (table.socket.view?.phase === "over" ? table.socket.viewRound : match.rounds_so_far?.at(-1)?.round_no);
  if (!room || !round) return toast(t("没有可分享的牌谱"));
  for (let tried = 1; ; tried++) {
    try {
      const { code } = await post(`/rounds/${encodeURIComponent(`${room.id}.${match.match_no}.${round}`)}/share`);
      return shareLink(replayLink(code), { title: t("回放"), done: t("已复制回放链接，牌谱号 {0}", code) });
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== "not_found" || tried === SHARE_TRIES) return toast(t("牌谱稍后可在战绩里分享"));
      await new Promise((wake) => setTimeout(wake, SHARE_PAUSE_MS));
    }
  }
}
