// @ts-check
/** The dock: the one place where I act. Buttons for the offers, choices above their button, the clock. */
import { h } from "../dom.js";
import { lang, t } from "../i18n.js";
import { tile } from "../tiles.js";
import { groups } from "./present.js";
import { face, ring } from "./pieces.js";

/** @typedef {import("./pieces.js").Ctx} Ctx */

/** Keys with names of their own. @type {Record<string, string>} */
const SHOWN = { Escape: "Esc" };

/** @param {Ctx} ctx @param {import("./present.js").Group} group */
function word(ctx, group) {
  const action = group.actions[0];
  const own = ctx.face.label(action, ctx.view);
  if (own && (group.actions.length === 1 || group.key === "declare" || group.key === "extend")) return own;
  if (group.key === "win" && !ctx.view.laid && ctx.view.turn === ctx.me && !ctx.view.last) return t("自摸");
  return t(ctx.face.words[group.key] ?? own ?? group.key);
}

/**
 * @param {Ctx} ctx @param {{decision: any, left_ms: number, claim: {tile: string}|null, open: string|null, selected: string|null, declaring: boolean}} now
 * @param {{act: (action: any) => void, toggle: (key: string) => void, discard: () => void}} on
 */
export function dock(ctx, now, on) {
  const list = groups(now.decision, ctx.face).filter((g) => g.key !== "discard");
  const throws = groups(now.decision, ctx.face).find((g) => g.key === "discard");
  if (!now.decision) return [];
  const opened = list.find((g) => g.key === now.open && (g.actions.length > 1 || ctx.face.price(g.actions[0], ctx.view)));
  const ask = now.declaring ? t(ctx.face.declareAsk) : ctx.face.ask(now.decision, ctx.view);
  const first = list[0]?.key;
  const buttons = list.map((g) => {
    const priced = g.key !== "declare" && (g.actions.length > 1 || Boolean(ctx.face.price(g.actions[0], ctx.view)));
    const key = ctx.face.keys[g.key];
    const main = g.key === "win" || (g.key === first && g.key !== "pass" && !now.claim && !ask && !throws);
    return h(
      "button",
      {
        class: `btn act ${main ? "main" : g.key === "pass" ? "quiet" : ""}`,
        type: "button",
        "data-key": g.key,
        "aria-expanded": priced ? String(now.open === g.key) : null,
        "aria-pressed": g.key === "declare" ? String(now.declaring) : null,
        on: { click: () => (g.key === "declare" || priced ? on.toggle(g.key) : on.act(g.actions[0])) },
      },
      word(ctx, g),
      key ? h("kbd", { text: SHOWN[key] ?? key.toUpperCase() }) : null,
    );
  });
  if (throws && now.selected) {
    buttons.push(
      h(
        "button",
        { class: "btn act main", type: "button", "data-key": "discard", on: { click: on.discard } },
        t("打出"),
        tile(now.selected, { lang, label: "" }),
        h("kbd", { text: "⏎" }),
      ),
    );
  }
  return [
    opened
      ? h(
          "div",
          { class: "pick", role: "group", "aria-label": t("选一种") },
          opened.actions.map((a) => choice(ctx, a, on.act)),
        )
      : null,
    ask && !opened ? h("p", { class: "ask", text: ask }) : null,
    h(
      "div",
      { class: "claim", role: "group", "aria-label": t("要不要") },
      now.decision.total_ms ? ring(now.left_ms, now.decision.total_ms) : null,
      now.claim ? h("span", { class: "what" }, face(ctx, now.claim.tile, { mark: null })) : null,
      buttons,
    ),
  ];
}

/** @param {Ctx} ctx @param {any} action @param {(action: any) => void} act */
function choice(ctx, action, act) {
  const price = ctx.face.price(action, ctx.view);
  const label = ctx.face.label(action, ctx.view);
  return h(
    "button",
    { class: "opt", type: "button", on: { click: () => act(action) } },
    h(
      "span",
      { class: "ts" },
      ctx.face.choiceTiles(action, ctx.view).map((k) => face(ctx, k, { mark: null })),
    ),
    price ? h("small", { class: "num", text: price }) : label ? h("small", { text: label }) : null,
  );
}
