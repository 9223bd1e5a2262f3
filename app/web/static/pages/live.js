// @ts-check
/** The operators' live tables: found, inspected, stopped, dissolved; people taken out of them. */
import { allVariants, variantName } from "../api.js";
import { h, icon } from "../dom.js";
import { t } from "../i18n.js";
import { gameTile } from "../lobby/games.js";
import { ask, get, small, withReason } from "./orders.js";

/** An operator's search text; kept while the list is drawn again and again. */
let sought = "";

/** @param {() => void} draw @param {any} me */
export async function roomsPart(draw, me) {
  const [{ items, cursor }, variants] = await Promise.all([get("/rooms?limit=100"), allVariants()]);
  const announce = () => withReason(t("向所有牌桌公告"), "公告", (text) => ask("POST", "/announcements", { text, reason: text }), draw);
  const list = h("ul", { class: "rows live" });
  const show = () => {
    const found = items.filter((/** @type {any} */ r) => words(r, variants).includes(sought));
    list.replaceChildren(...found.map((/** @type {any} */ r) => roomRow(r, variants, draw, me)));
    if (!found.length) list.append(h("li", { class: "none", text: t(items.length ? "没有找到" : "现在没有人开桌。") }));
  };
  const find = h("input", {
    type: "search",
    value: sought,
    "aria-label": t("房号或名字"),
    placeholder: t("房号或名字"),
    "data-keep": "find",
    on: {
      input: (/** @type {any} */ e) => {
        sought = e.target.value.trim().toLowerCase();
        show();
      },
    },
  });
  show();
  const playing = items.filter((/** @type {any} */ r) => r.phase === "playing").length;
  return [
    h(
      "section",
      { class: "card", "aria-label": t("牌桌") },
      h(
        "div",
        { class: "line spread" },
        h("h2", { class: "num" }, `${t("牌桌")} ${items.length}${cursor ? "+" : ""}`, h("small", { text: `${t("正在打")} ${playing}` })),
        h("span", { class: "narrow" }, find),
        small("公告", announce, "announce"),
      ),
      list,
    ),
  ];
}

/** All that a table can be found by. @param {any} room @param {any[]} variants */
const words = (room, variants) =>
  [room.code, room.id, variantName(variants, room.variant), ...room.seats.map((/** @type {any} */ s) => s?.name ?? "")]
    .join(" ")
    .toLowerCase();

const PHASES = /** @type {Record<string, string>} */ ({ waiting: "等人", playing: "在打", between: "局间", ended: "打完" });

/** @param {any} room @param {any[]} variants @param {() => void} draw @param {any} me */
function roomRow(room, variants, draw, me) {
  const path = `/rooms/${encodeURIComponent(room.id)}`;
  const send = (/** @type {string} */ what) => (/** @type {string} */ reason) => ask("POST", `${path}/${what}`, { reason });
  const shown = h("div", { class: "inspection", hidden: true });
  const hide = () => {
    shown.hidden = true;
  };
  const look = () =>
    withReason(
      t("查看牌桌（含暗牌）会记入日志"),
      "查看",
      async (reason) => {
        const { table } = await get(`${path}/inspect?everything=true&reason=${encodeURIComponent(reason)}`);
        const { inspection } = await import("./inspect.js");
        shown.replaceChildren(.../** @type {Node[]} */ (inspection(table, hide).filter(Boolean)));
        shown.hidden = false;
      },
      () => undefined,
    );
  const kick = (/** @type {any} */ s) =>
    withReason(t("请出 {0}", s.name), "请出", (reason) => ask("POST", `${path}/kick`, { user: s.user, reason }), draw);
  return h(
    "li",
    { class: "room", "data-room": room.id },
    h("span", { class: "tile-mark", "aria-hidden": "true" }, gameTile(room.variant)),
    h(
      "span",
      { class: "g" },
      h("b", {}, t(variantName(variants, room.variant)), " ", h("span", { class: "num code", text: room.code })),
      h(
        "span",
        { class: "line tight" },
        h("span", { class: `chip ${room.phase === "playing" ? "hot" : ""}`, text: t(PHASES[room.phase] ?? room.phase) }),
        h("small", { class: "num", text: `${room.played}/${room.rounds} ${t("局")}` }),
        room.spectators ? h("small", { class: "num", text: `${t("旁观")} ${room.spectators}` }) : null,
        room.frozen ? h("span", { class: "chip warn", text: t("已停下") }) : null,
      ),
    ),
    h(
      "span",
      { class: "orders" },
      me.scopes.includes("inspect") ? small("查看", look, "inspect") : null,
      room.frozen
        ? small("放行", () => withReason(t("放行这一桌"), "放行", send("release"), draw), "release")
        : small("停下", () => withReason(t("让这一桌停下"), "停下", send("freeze"), draw), "freeze"),
      small("解散", () => withReason(t("解散这一桌？这一局作废，已结算的局都算数。"), "解散", send("dissolve"), draw), "dissolve"),
    ),
    h(
      "ul",
      { class: "sitting", "aria-label": t("座位") },
      room.seats.map((/** @type {any} */ s) => h("li", { class: s ? (s.bot || s.online ? "on" : "off") : "free" }, seatOf(s, kick))),
    ),
    shown,
  );
}

/** @param {any} s @param {(s: any) => void} kick */
function seatOf(s, kick) {
  if (!s) return t("空位");
  if (s.bot) return t("电脑");
  return [
    h("span", { class: "nm", text: s.name }),
    s.online ? null : h("span", { class: "vh", text: t("离线") }),
    h("button", { class: "icon", type: "button", "aria-label": t("请出 {0}", s.name), on: { click: () => kick(s) } }, icon("door")),
  ];
}
