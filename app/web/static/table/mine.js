// @ts-check
/** My side of the table: hand, dock and the 听 strip, redrawn when the question or the tiles change. */
import { attend } from "../attention.js";
import { h, redraw } from "../dom.js";
import { t } from "../i18n.js";
import { settings } from "../settings.js";
import { say } from "../speak.js";
import { dock } from "./dock.js";
import { hand, keepFocus } from "./hand.js";
import { fetchHints, hints, waits } from "./hints.js";
import { claimed, discardable, handTiles } from "./present.js";
import { watchReasons } from "./why.js";

/** @param {any} table the screen @param {import("./pieces.js").Ctx} ctx @param {any} decision */
export function drawMine(table, ctx, decision) {
  const { view, me } = ctx;
  const { input, slots } = table;
  if (decision?.id !== table.asked) {
    table.asked = decision?.id;
    input.forget();
    if (decision) {
      if (!table.onAutoplay) table.closeLook();
      say(t("轮到你了"));
    }
    const mine = decision && !table.onAutoplay;
    attend(mine ? { turn: decision.clock === "turn", deadline: table.socket.deadline, where: table.roundTitle(table.socket.match) } : null);
  }
  fetchHints(table, ctx);
  watchReasons(table, ctx, decision);
  const allowed = discardable(decision, input.declaring);
  const toReady = settings.hints && allowed.size ? (table.hintList ?? []).flatMap((/** @type {any} */ x) => x.discard ?? []) : [];
  const timed = decision?.silence?.verb === "discard" ? decision.silence.tiles : null;
  const shown = table.seat !== null || view.revealed;
  keepFocus(slots.hand, () =>
    redraw(
      slots.hand,
      [ctx.pieces.seats[me], ctx.wilds, ctx.marks, input.selected, input.picked, [...allowed], input.declaring, shown, timed, ctx.open],
      () => {
        slots.hand.className = `hand n${ctx.face.slots}`;
        slots.hand.style.setProperty("--n", String(ctx.face.slots));
        return shown ? hand(ctx, { selected: input.selected, picked: input.picked, allowed, dimOthers: input.declaring, timed }) : [];
      },
    ),
  );
  for (const b of /** @type {NodeListOf<HTMLElement>} */ (slots.hand.querySelectorAll("button.tilebtn"))) {
    const ready = toReady.includes(b.dataset.tile);
    b.classList.toggle("to-ready", ready);
    b.title = ready ? t("打出后听牌") : "";
  }
  drawDock(table, ctx, decision);
  drawHint(table, ctx, decision);
}

/** @param {any} table @param {import("./pieces.js").Ctx} ctx @param {any} decision */
function drawDock(table, ctx, decision) {
  const { input, slots, socket } = table;
  const left = decision ? Math.max(0, socket.deadline - performance.now()) : 0;
  slots.dock.className = `dock${decision && decision.clock !== "claim" ? " self" : ""}`;
  const resting = ["between", "ended"].includes(socket.match.phase) && !table.sheetOpen && table.moment === null;
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

/** The waits on show: of the tile I have picked, or else of the drawn one. @param {any} table @param {import("./pieces.js").Ctx} ctx @param {any} decision */
function hintShown(table, ctx, decision) {
  if (!settings.hints || ctx.view.phase === "over" || !table.hintList) return null;
  const mayThrow = decision && discardable(decision, false).size > 0;
  const wanted = mayThrow ? (table.input.selected ?? handTiles(ctx.view, ctx.me, ctx.wilds).drawn) : null;
  const found = table.hintList.find((/** @type {any} */ x) => (x.discard ?? null) === wanted);
  return found?.waits.length ? found : null;
}

/** @param {any} table @param {import("./pieces.js").Ctx} ctx @param {any} decision */
function drawHint(table, ctx, decision) {
  const { view } = ctx;
  const waiting = view.turn !== null && view.turn !== table.seat && view.phase === "turn" ? `${t("等待")} ${table.who(view.turn)}` : "";
  const idle = table.seat === null ? t("旁观中") : decision ? (discardable(decision, false).size ? t("点牌选中，再点打出") : "") : waiting;
  const found = hintShown(table, ctx, decision);
  const list = found && waits(ctx, found);
  table.slots.hint.className = found ? "ting" : "ting idle";
  const toggle = () => {
    table.allWaits = !table.allWaits;
    table.schedule();
  };
  redraw(table.slots.hint, [found?.discard, list, idle, table.allWaits, innerWidth < 600, innerHeight < 481], () =>
    list ? hints(ctx, found.discard, list, table.allWaits, toggle) : [h("span", { text: idle })],
  );
}
