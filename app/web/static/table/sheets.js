// @ts-check
/** The sheet over the table between rounds and at the end: settlement, what is kept of it after a reload, ranking. */
import { post } from "../api.js";
import { h, icon, redraw } from "../dom.js";
import { t } from "../i18n.js";
import { Refusal } from "../socket.js";
import { copied, toast } from "../speak.js";
import { ring } from "./pieces.js";
import { kept, ranking, settlement } from "./settlement.js";

const NEXT_MS = 30_000;
const SHARE_TRIES = 5;
const SHARE_PAUSE_MS = 1_200;

/** @param {any} table the screen @param {import("../view.js").View|null} view @param {any} match */
export function drawSheet(table, view, match) {
  const box = /** @type {HTMLElement} */ (table.slots.sheet);
  const over = ["between", "ended"].includes(match.phase);
  const open = table.sheetOpen && over;
  const was = box.hidden;
  box.hidden = !open;
  if (!open) return;
  const settled = view?.phase === "over" ? view : null;
  const ready = match.seats.map((/** @type {any} */ s) => s?.ready);
  redraw(
    box,
    [
      settled?.ended,
      match.phase,
      match.totals,
      match.seats,
      match.pause,
      table.checked,
      table.rankingOpen,
      table.over,
      table.countdown("next_round"),
    ],
    () => {
      if (match.phase === "ended" && (table.rankingOpen || !settled))
        return [ranking(match, (s) => table.who(s), endButtons(table, ready), table.seat, table.over)];
      const more = {
        who: (/** @type {number} */ s) => table.who(s),
        verified: table.checked,
        buttons: match.phase === "ended" ? lastButtons(table) : nextButtons(table, match),
        title: table.roundTitle(match),
      };
      return [
        settled && table.ctx ? settlement(table.ctx, match, table.names, more) : kept(match, table.face, table.names, table.seat, more),
      ];
    },
  );
  if (was) /** @type {HTMLElement|null} */ (box.querySelector(".sheet"))?.focus();
}

/** @param {any} table */
const shareButton = (table) =>
  h("button", { class: "btn sm", type: "button", "data-do": "share", on: { click: () => share(table) } }, icon("share"), t("分享"));

/** @param {any} table @param {any} match */
function nextButtons(table, match) {
  const ready = table.seat !== null && match.seats[table.seat]?.ready;
  const left = table.left("next_round");
  return [
    shareButton(table),
    table.socket.view &&
      h("button", { class: "btn sm", type: "button", "data-do": "table", text: t("看牌桌"), on: { click: () => table.closeSheet() } }),
    table.seat === null
      ? null
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

/** A link to the replay of the round on show. The archive may need a moment after a settlement. @param {any} table */
async function share(table) {
  const { room, match } = table.socket;
  const round = table.socket.view?.phase === "over" ? table.socket.viewRound : match.rounds_so_far?.at(-1)?.round_no;
  if (!room || !round) return toast(t("没有可分享的牌谱"));
  for (let tried = 1; ; tried++) {
    try {
      const { code } = await post(`/rounds/${encodeURIComponent(`${room.id}.${match.match_no}.${round}`)}/share`);
      return copied(`${location.origin}/#/replay/${code}`, t("已复制回放链接"));
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== "not_found" || tried === SHARE_TRIES) return toast(t("牌谱稍后可在战绩里分享"));
      await new Promise((wake) => setTimeout(wake, SHARE_PAUSE_MS));
    }
  }
}
