// @ts-check
/** The last screen of a table on this page: the reason, and the ways on. */
import { h } from "../dom.js";
import { t } from "../i18n.js";

/** By reason of the close, then of REST. @type {Record<string, string>} */
const TEXTS = {
  replaced: "这个座位已在别处打开，本页不再连接",
  closed: "房间已关闭",
  room_closed: "房间已关闭",
  gone: "房间已关闭",
  finished: "房间已关闭",
  host: "房主解散了房间",
  voted: "全桌同意，房间已解散",
  operator: "房间已被运营人员关闭",
  circle: "房间已被亲友圈管理关闭",
  not_started: "太久没有开局，房间已关闭",
  no_rematch: "没有再来一场，房间已关闭",
  deserted: "没有人在线，房间已关闭",
  left: "你已离开房间",
  failed: "房间出错，已关闭；已结算的局都算数",
  removed: "你已被请出房间",
  no_such_room: "没有这个房间",
  not_found: "没有这个房间",
  version: "有新版本，请刷新页面",
  abuse: "连接被拒绝",
  not_allowed: "不能进入这个房间",
  room_full: "房间已坐满",
  seat_taken: "座位已有人",
  conflict: "你在别的房间还有座位，先离开那里",
  banned: "账号被限制",
  frozen: "牌桌已停下",
};
/** Reasons after which opening the page again makes sense. */
const AGAIN = new Set(["replaced", "version"]);

const text = (/** @type {string|undefined} */ reason) => TEXTS[reason ?? ""] ?? "连接已结束";

/** @param {string|undefined} reason @param {string|null} [note] what the one who closed the room says */
function page(reason, note) {
  const again = AGAIN.has(reason ?? "");
  return h(
    "main",
    { class: "gone", "data-reason": reason ?? "" },
    h("p", { role: "alert" }, t(text(reason)), note ? h("small", { class: "note", text: note }) : null),
    again
      ? h("button", {
          class: "btn main",
          type: "button",
          text: t(reason === "version" ? "刷新" : "在这里打开"),
          on: { click: () => location.reload() },
        })
      : null,
    h("a", { class: "btn", href: "#/", text: t("回大厅") }),
  );
}

export const gone = { text, page };
