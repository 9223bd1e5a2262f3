// @ts-check
/** Another player at the table: their melds and discards in a readable size; muting, blocking and reporting them. */
import { post } from "../api.js";
import { portrait } from "../avatar.js";
import { h, number } from "../dom.js";
import { t } from "../i18n.js";
import { showRefusal } from "../refusals.js";
import { choose, settings } from "../settings.js";
import { question, toast } from "../speak.js";
import { split } from "../view.js";
import { face, meld } from "./pieces.js";

/** The drawer's content for a seat. @param {any} table the screen @param {number} seat @param {() => void} hide */
export function seatCard(table, seat, hide) {
  const { match, view } = table.socket;
  const person = match.seats[seat];
  const total = (match.totals[seat] ?? 0) + (match.phase === "playing" ? (view?.points[seat] ?? 0) : 0);
  return [
    h(
      "div",
      { class: "item about" },
      h("i", { "aria-hidden": "true" }, portrait(person?.avatar || table.who(seat))),
      h("b", { text: table.who(seat) }),
      h("span", { class: "num", text: `${number(total)} ${t("分")}` }),
    ),
    person && !person.bot ? toPerson(table, person, hide, false) : null,
    ...(view && table.ctx ? shown(table.ctx, view.seats[seat], seat) : []),
  ];
}

/** @param {import("./pieces.js").Ctx} ctx @param {import("../view.js").Seat} tiles @param {number} seat */
function shown(ctx, tiles, seat) {
  const box = (/** @type {string} */ label, /** @type {HTMLElement[]} */ kids, /** @type {string} */ kind) =>
    kids.length ? [h("h2", { text: t(label) }), h("div", { class: kind, role: "group", "aria-label": t(label) }, kids)] : [];
  return [
    ...box(
      "桌上的牌",
      tiles.melds.map((m) => meld(ctx, m, seat, false)),
      "melds",
    ),
    ...box(
      "打出的牌",
      split(tiles.row).map((k) => /** @type {any} */ (face(ctx, k, { wild: false, mark: null }))),
      "thrown",
    ),
  ];
}

/** Actions about a person: mute here and from now on, block, report. @param {any} table @param {any} person @param {()
 * => void} hide */
export function toPerson(table, person, hide, named = true) {
  const button = (/** @type {string} */ name, /** @type {string} */ label, /** @type {() => void} */ run) =>
    h("button", {
      class: "btn sm quiet",
      type: "button",
      "data-person-do": name,
      text: t(label),
      on: {
        click: () => {
          hide();
          run();
        },
      },
    });
  return h(
    "div",
    { class: "item person" },
    named ? h("span", { text: person.name }) : null,
    button("mute", settings.muted.includes(person.user) ? "取消静音" : "静音", () => mute(person.user, table)),
    button("block", "拉黑", () => block(person)),
    button("report", "举报", () => report(person, table)),
  );
}

/** Never again at one table by quick match, never in my rooms. @param {any} person */
async function block(person) {
  if ((await question(t("拉黑 {0}？快速开始不会再遇到，也不能进你开的房间。", person.name), { yes: t("拉黑") })) === null) return;
  await post("/me/blocks", { user: person.user }).then(() => toast(t("已拉黑")), showRefusal);
}

/** Reports a player to the operators. @param {any} person @param {any} table */
async function report(person, table) {
  const text = await question(t("举报 {0}", person.name), { yes: t("举报"), field: t("发生了什么"), needed: true });
  if (text === null) return;
  await post("/me/reports", { user: person.user, reason: "other", text: `${table.socket.room?.id ?? ""} ${text}`.slice(0, 200) }).then(
    () => toast(t("已交给运营人员")),
    showRefusal,
  );
}

/** Kept on this device, so it holds at every table and after a reload. @param {string} user @param {any} table */
function mute(user, table) {
  const muted = settings.muted.includes(user) ? settings.muted.filter((u) => u !== user) : [...settings.muted, user];
  choose({ muted });
  table.schedule();
}
