// @ts-check
/** My side of the table: hand, dock and the 听 strip, redrawn when the question or the tiles change. */
import { h, redraw } from "../dom.js";
import { t } from "../i18n.js";
import { settings } from "../settings.js";
import { click } from "../sound.js";
import { say } from "../speak.js";
import { dock } from "./dock.js";
import { hand, keepFocus } from "./hand.js";
import { hints } from "./hints.js";
import { claimed, discardable } from "./present.js";

/** Decisions at which the hand's readiness may have changed. */
const OWN = ["turn", "opening", "forced"];

/** @param {any} table the screen @param {import("./pieces.js").Ctx} ctx @param {any} decision */
export function drawMine(table, ctx, decision) {
  const { view, me } = ctx;
  const { input, slots } = table;
  if (decision?.id !== table.asked) {
    table.asked = decision?.id;
    input.forget();
    if (decision) {
      say(t("轮到你了"));
      click("ask");
    }
  }
  fetchHints(table, ctx, decision);
  const allowed = discardable(decision, input.declaring);
  const shown = table.seat !== null || view.revealed;
  keepFocus(slots.hand, () =>
    redraw(
      slots.hand,
      [view.seats[me], view.turn, view.last, ctx.wilds, ctx.marks, input.selected, [...allowed], input.declaring, shown],
      () => {
        slots.hand.className = `hand n${ctx.face.slots}`;
        slots.hand.style.setProperty("--n", String(ctx.face.slots));
        return shown ? hand(ctx, { selected: input.selected, allowed, dimOthers: input.declaring }) : [];
      },
    ),
  );
  drawDock(table, ctx, decision);
  drawHint(table, ctx, decision);
}

/** @param {any} table @param {import("./pieces.js").Ctx} ctx @param {any} decision */
function drawDock(table, ctx, decision) {
  const { input, slots, socket } = table;
  const left = decision ? Math.max(0, socket.deadline - performance.now()) : 0;
  slots.dock.className = `dock${decision && decision.clock !== "claim" ? " self" : ""}`;
  const resting = ["between", "ended"].includes(socket.match.phase) && !table.sheetOpen;
  redraw(
    slots.dock,
    [decision?.id, decision?.options, input.opened, input.selected, input.declaring, input.busy, resting, socket.match.phase],
    () => {
      if (resting)
        return [
          h(
            "div",
            { class: "claim" },
            h("button", {
              class: "btn main",
              type: "button",
              text: t(socket.match.phase === "ended" ? "看名次" : "看结算"),
              on: { click: () => table.openSheet() },
            }),
          ),
        ];
      if (input.busy) return [];
      const now = {
        decision,
        left_ms: left,
        claim: claimed(decision, ctx.view, ctx.me),
        open: input.opened,
        selected: input.selected,
        declaring: input.declaring,
      };
      return dock(ctx, now, {
        act: (action) => input.act(action),
        toggle: (key) => input.toggle(key),
        discard: () => input.selected && input.discard(input.selected),
      });
    },
  );
}

/** @param {any} table @param {import("./pieces.js").Ctx} ctx @param {any} decision */
function drawHint(table, ctx, decision) {
  const { view } = ctx;
  const waiting = view.turn !== null && view.turn !== table.seat && view.phase === "turn" ? `${t("等待")} ${table.who(view.turn)}` : "";
  const idle = table.seat === null ? t("旁观中") : decision ? (discardable(decision, false).size ? t("点牌选中，再点打出") : "") : waiting;
  const wanted = decision && discardable(decision, false).size ? table.input.selected : null;
  const found =
    settings.hints && view.phase !== "over" ? table.hintList?.find((/** @type {any} */ x) => (x.discard ?? null) === wanted) : null;
  const shown = found?.waits.length ? found : null;
  table.slots.hint.className = shown ? "ting" : "ting idle";
  redraw(table.slots.hint, [shown, idle, ctx.wilds], () => (shown ? hints(ctx, shown) : [h("span", { text: idle })]));
}

/** Asks for my waits, as the server knows them for my own view, whenever my tiles or my turn have changed. @param {any} table @param {import("./pieces.js").Ctx} ctx @param {any} decision */
async function fetchHints(table, ctx, decision) {
  if (!settings.hints || table.seat === null || ctx.view.phase === "over" || !ctx.view.seats[ctx.me].hand) return;
  const mine = ctx.view.seats[ctx.me];
  const key = `${table.socket.viewRound} ${mine.hand} ${mine.melds.length} ${decision && OWN.includes(decision.clock) ? decision.id : ""}`;
  if (key === table.hintKey) return;
  table.hintKey = key;
  try {
    const { hints: list } = await table.socket.send("hints");
    if (table.hintKey !== key) return;
    table.hintList = list ?? [];
    table.schedule();
  } catch {
    table.hintList = null;
  }
}
