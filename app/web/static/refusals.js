// @ts-check
/** Texts of refusals for people: the cause and what to do. The server's codes in Chinese, translated like every other
 * text. */
import { t } from "./i18n.js";
import { LIMITS } from "./limits.js";
import { Refusal } from "./socket.js";
import { toast } from "./speak.js";

/** By code; `code.reason` goes before it. `{0}` is the number that was exceeded or not reached. @type {Record<string, string>} */
const TEXTS = {
  closed: "这一步已经过去了",
  not_offered: "现在不能这样打",
  round_over: "这一局已经结束",
  not_seated: "你不在座位上",
  not_host: "只有房主可以",
  not_now: "牌局已经开始，现在不行",
  seat_taken: "座位已有人，换一个座位",
  room_full: "房间已坐满，可以另开一桌",
  no_such_room: "没有这个房间，请核对房号",
  room_closed: "房间已关闭，可以另开一桌",
  not_allowed: "你不能进入这里，请联系房主",
  rate_limited: "太快了，等几秒再试",
  busy: "服务器忙，请再试一次",
  frozen: "牌桌已停下，运营人员正在处理",
  moved: "牌桌换了服务器，正在重连",
  saving: "正在保存，请稍等",
  internal: "服务器出错了，请再试一次",
  not_signed_in: "登录已过期，请重新打开页面",
  wrong_password: "名字或密码不对，请重新输入",
  name_taken: "这个名字已有人用，换一个",
  no_such_replay: "没有这份回放，请核对链接",
  not_found: "没有找到：可能已删除，或不对你开放",
  invalid: "填写的内容不对，请检查",
  conflict: "现在不能这样做，请刷新后再试",
  banned: "账号被限制，请联系运营人员",
  "banned.circle": "这个亲友圈不接受你的申请",
  gone: "已经不在了，请返回",
  too_many_tables: "服务器桌数已满，请稍后再来",
  forbidden: "只有圈主或管理员可以",
  blocked_word: "含有不能用的词，请改一改",
  muted: "管理员已将你禁言",
  malformed: "填写的内容不对，请检查",
  too_large: "内容太长，请删一些",
  "conflict.seated_elsewhere": "你还有一桌没打完",
  "conflict.owner_stays": "圈主不能直接退出，请先转让亲友圈",
  "conflict.owns_circles": "请先转让或解散你的亲友圈",
  "conflict.account_already": "这已经是账号了，不用再升级",
  "conflict.member_already": "你已经在这个亲友圈里了",
  "conflict.applications_full": "这个亲友圈的申请太多，请过几天再试",
  "conflict.circle_full": "亲友圈最多 {0} 人，请先移出几位",
  "conflict.circles_joined": "每人最多加入 {0} 个亲友圈，请先退出一个",
  "conflict.circles_owned": "每人最多有 {0} 个亲友圈，请先转让或解散一个",
  "conflict.templates_full": "最多存 {0} 个玩法，请先删除一个",
  "conflict.blocks_full": "最多拉黑 {0} 人，请先移除几位",
  "conflict.pairs_full": "最多设 {0} 对不同桌，请先取消几对",
  "invalid.name_length": "名字要 1–12 个汉字，或 2–24 个字母",
  "invalid.name_signs": "名字只能用汉字、字母、数字、空格和 · - _ .，不能用表情",
  "invalid.name_mixed": "名字里不能同时用外形相近的不同字母",
  "invalid.name_ends": "名字的开头和结尾要是汉字、字母或数字",
  "invalid.weak_password": "这个密码太容易猜到：请加长，或用几个不相关的词",
  "invalid.oneself": "请选两位不同的人",
  "invalid.guest": "游客没有密码，请先升级为账号",
  "invalid.too_long": "最多 {0} 个字",
  "invalid.too_short": "至少 {0} 个字",
  "invalid.too_large": "最大是 {0}",
  "invalid.too_small": "最小是 {0}",
  "invalid.missing": "请填写",
  "invalid.signs": "有不能用的符号，请改一改",
};

/** Parts of the input that a person has seen, by the last part of the server's path. @type {Record<string, string>} */
const FIELDS = {
  name: "名字",
  password: "密码",
  old_password: "旧密码",
  message: "留言",
  notice: "公告",
  reason: "原因",
  text: "内容",
};

/** @param {unknown} error */
export function refusalText(error) {
  if (!(error instanceof Refusal)) return t(navigator.onLine ? "连不上服务器，请检查网络后再试" : "没有网络，连上后再试");
  if (error.leftMs !== null && error.code === "muted") return t("管理员已将你禁言，还有 {0} 分钟", Math.ceil(error.leftMs / 60_000));
  if (error.leftMs !== null) return t("太快了，{0} 秒后再试", Math.ceil(error.leftMs / 1_000));
  const { field, reason, limit } = error.detail ?? {};
  if (field === "code") return t("号码不对：房号是 {0} 位数字，圈号是 {1} 位数字", LIMITS.roomCode, LIMITS.circleCode);
  const text = t(TEXTS[`${error.code}.${reason}`] ?? TEXTS[error.code] ?? "没有成功，请再试一次", limit ?? "");
  const note = error.code === "banned" ? error.message.split(": ").slice(1).join(": ") : "";
  if (note) return t("{0}：{1}", text, note);
  const named = t(FIELDS[field?.split(".").at(-1)] ?? "");
  return named && !text.startsWith(named) ? t("{0}：{1}", named, text) : text;
}

/** Shows why something was refused, with the way on where there is one. @param {unknown} error */
export function showRefusal(error) {
  const seated = error instanceof Refusal && error.detail?.reason === "seated_elsewhere";
  toast(refusalText(error), seated ? { label: t("回到牌桌"), run: backToTable } : undefined);
}

/** To the table where I hold my seat. */
async function backToTable() {
  const { get } = await import("./api.js");
  const { room } = await get("/me/room").catch(() => ({ room: null }));
  location.hash = room ? `#/table/${room.id}` : "#/";
}

/** Runs something and shows a refusal; true when it went well. @param {() => Promise<unknown>} work */
export async function tried(work) {
  try {
    await work();
    return true;
  } catch (error) {
    showRefusal(error);
    return false;
  }
}
