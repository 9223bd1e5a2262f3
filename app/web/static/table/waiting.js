// @ts-check
/** Before the first deal: who sits where, the room's code and link, readiness, bots. */
import { portrait } from "../avatar.js";
import { h, icon } from "../dom.js";
import { t } from "../i18n.js";
import { roomLink, share } from "../links.js";
import { label } from "../lobby/form.js";
import { searching } from "../lobby/search.js";
import { question } from "../speak.js";
import { ring } from "./pieces.js";

const READY_MS = 15_000;

/** @param {any} table the screen */
export function waiting(table) {
  const { match, room } = table.socket;
  if (table.begun && match.host === table.seat && sessionStorage.getItem(`practice-${table.roomId}`)) {
    return h("section", { class: "card wait" }, h("p", { class: "soon", role: "status", text: t("正在准备牌桌…") }));
  }
  return h(
    "section",
    { class: "card wait", "aria-label": t("等待开始") },
    match.host === null ? searching(table) : invitation(room),
    h("p", { class: "agreed", text: agreed(table, match) }),
    match.unranked
      ? h("p", { class: "soon", role: "status", "data-note": "unranked", text: t("这桌不计等级：有两人同网络、同设备或同亲友圈") })
      : null,
    h(
      "ul",
      { class: "chairs" },
      match.seats.map((/** @type {any} */ s, /** @type {number} */ at) =>
        chair(table, s, at, match.host !== null && match.host === table.seat),
      ),
    ),
    sentAway(table, match),
    actions(table, match),
  );
}

/** The people whom the host sent away: the host lets them in again. @param {any} table @param {any} match */
function sentAway(table, match) {
  if (match.host === null || match.host !== table.seat) return null;
  return match.kicked?.map((/** @type {any} */ person) =>
    h(
      "p",
      { class: "soon" },
      t("{0} 已被请出", person.name),
      h("button", {
        class: "btn sm quiet",
        type: "button",
        "data-readmit": person.user,
        text: t("允许再进来"),
        on: { click: () => table.ask("readmit", { user: person.user }) },
      }),
    ),
  );
}

/** The room's code as tiles, its link and the same as a picture to scan. @param {any} room */
function invitation(room) {
  const code = String(room?.code ?? "");
  const give = () => share(roomLink(code), { title: t("房间 {0}", code), done: t("已复制房间链接") });
  return [
    h(
      "p",
      { class: "code num", role: "img", "aria-label": `${t("房间")} ${code.split("").join(" ")}` },
      [...code].map((c) => h("span", { text: c })),
    ),
    h(
      "div",
      { class: "share" },
      h("button", { class: "btn sm", type: "button", "data-do": "copy", on: { click: give } }, icon("share"), t("邀请")),
      h("img", { class: "qr", src: `/join/${encodeURIComponent(code)}.svg`, alt: t("房间二维码"), width: 104, height: 104 }),
    ),
  ];
}

/** The agreed rules in one line. @param {any} table @param {any} match */
export function agreed(table, match) {
  const told = (table.meta?.options ?? []).flatMap((/** @type {any} */ o) => {
    const value = match.rules[o.name];
    if (value === undefined) return []; // an option that is as it always was
    if (o.kind === "bool") return value ? [label(o)] : [];
    const text = o.kind === "choice" ? t(o.choice_labels[o.choices.indexOf(value)] ?? String(value)) : String(value);
    return [`${label(o)} ${text}`];
  });
  return told.join(" · ");
}

/** @param {any} table @param {any} match */
function actions(table, match) {
  const mine = table.seat === null ? null : match.seats[table.seat];
  const host = mine && match.host === table.seat;
  const empty = match.seats.some((/** @type {any} */ s) => !s);
  const left = table.left("ready");
  return h(
    "div",
    { class: "go" },
    host && empty && match.settings.fill_with_bots
      ? h("button", { class: "btn sm", type: "button", "data-do": "fill", text: t("加电脑"), on: { click: () => table.ask("fill") } })
      : null,
    host
      ? h("button", {
          class: "btn sm quiet",
          type: "button",
          "data-do": "dissolve",
          text: t("解散房间"),
          on: { click: () => dissolve(table) },
        })
      : mine
        ? h("button", {
            class: "btn sm quiet",
            type: "button",
            "data-do": "leave",
            text: t("离开"),
            on: { click: () => table.menu.leave() },
          })
        : null,
    mine
      ? h(
          "button",
          {
            class: `btn ${mine.ready ? "" : "main"}`,
            type: "button",
            "data-do": "ready",
            on: { click: () => (mine.ready ? table.ask("unready") : table.ready()) },
          },
          t(mine.ready ? "取消准备" : "准备"),
          !mine.ready && left !== null ? ring(left, READY_MS, 14) : null,
        )
      : null,
  );
}

/** @param {any} table */
async function dissolve(table) {
  if ((await question(t("解散这个房间？大家都会离开。"), { yes: t("解散房间") })) !== null) table.ask("dissolve");
}

/** @param {any} table @param {number} seat @param {string} name */
async function kick(table, seat, name) {
  const asked = t("请 {0} 离开这个房间？", table.socket.match.seats[seat]?.bot ? table.who(seat) : name);
  if ((await question(asked, { yes: t("请出") })) !== null) table.ask("kick", { seat });
}

/** @param {any} table @param {any} person @param {number} at */
function standing(table, person, at) {
  if (person.bot) return "电脑";
  if (person.reserved_ms != null) return "占座中，还没进来";
  if (table.offline.has(at)) return "离线";
  return person.ready ? "已准备" : "未准备";
}

/** @param {any} table @param {any} person @param {number} at @param {boolean} host */
function chair(table, person, at, host) {
  if (!person) {
    return h(
      "li",
      { class: "chair empty" },
      table.seat === null
        ? h("small", { text: t("空位") })
        : h("button", {
            class: "btn sm quiet",
            type: "button",
            "data-seat": at,
            text: t("坐这里"),
            on: { click: () => table.ask("seat", { seat: at }) },
          }),
    );
  }
  return h(
    "li",
    { class: `chair${person.ready ? " ready" : ""}` },
    h("i", { "aria-hidden": "true" }, portrait(person.avatar || table.who(at))),
    h("b", { text: table.who(at) }),
    h("small", { text: t(standing(table, person, at)) }),
    at === table.socket.match.host ? h("span", { class: "chip host", text: t("房主") }) : null,
    host && at !== table.seat
      ? h(
          "button",
          {
            class: "icon",
            type: "button",
            "data-kick": at,
            "aria-label": t("请出 {0}", person.name),
            on: { click: () => kick(table, at, person.name) },
          },
          icon("close"),
        )
      : null,
  );
}
