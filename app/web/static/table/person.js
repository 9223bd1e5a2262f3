// @ts-check
/** Another player at the table: their melds and discards in a readable size; muting, blocking and reporting them. */
import { post } from "../api.js";
import { portrait } from "../avatar.js";
import { h, number } from "../dom.js";
import { t } from "../i18n.js";
import { LIMITS } from "../limits.js";
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
      person?.bot_account ? h("span", { class: "chip", text: t("程序") }) : null,
      h("span", { class: "num", text: `${number(total)} ${t("分")}` }),
    ),
    record(table.records.of(person)),
    table.seat === null && seat !== table.viewpoint ? fromHere(table, seat, hide) : null,
    person && !person.bot && seat !== table.seat ? toPerson(table, person, hide, false) : null,
    ...(view && table.ctx ? shown(table.ctx, view.seats[seat], seat) : []),
  ];
}

/** What is known of a player: 等级, rounds, win rate. @param {import("./records.js").Known|null} known */
const record = (known) =>
  known &&
  h(
    "dl",
    { class: "record" },
    [
      known.level_name ? [t("当前等级"), t(known.level_name)] : null,
      [t("局数"), number(known.rounds)],
      [t("胜率"), known.rounds ? `${Math.round(100 * known.win_rate)}%` : "—"],
    ].map((pair) => pair && h("div", {}, h("dt", { text: pair[0] }), h("dd", { class: "num", text: pair[1] }))),
  );

/** A spectator chooses the seat from which they watch. @param {any} table @param {number} seat @param {() => void} hide */
const fromHere = (table, seat, hide) =>
  h("button", {
    class: "btn sm",
    type: "button",
    "data-do": "watch",
    text: t("从这里看"),
    on: {
      click: () => {
        hide();
        table.watch(seat);
      },
    },
  });

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
  const room = `${table.socket.room?.id ?? ""} `;
  const most = LIMITS.text - room.length;
  const text = await question(t("举报 {0}", person.name), { yes: t("举报"), field: t("发生了什么"), needed: true, most });
  if (text === null) return;
  await post("/me/reports", { user: person.user, reason: "other", text: room + text }).then(() => toast(t("已交给运营人员")), showRefusal);
}

/** Kept on this device, so it holds at every table and after a reload. @param {string} user @param {any} table */
function mute(user, table) {
  const muted = settings.muted.includes(user) ? settings.muted.filter((u) => u !== user) : [...settings.muted, user];
  choose({ muted });
  table.schedule();
}
