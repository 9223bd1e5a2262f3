// @ts-check
/** What a refusal says to a person: the server's codes in Chinese, translated like every other text. */
import { t } from "./i18n.js";
import { Refusal } from "./socket.js";
import { toast } from "./speak.js";

/** @type {Record<string, string>} */
const TEXTS = {
  closed: "这一步已经过去了",
  not_offered: "现在不能这样打",
  round_over: "这一局已经结束",
  wrong_round: "这一局已经结束",
  not_seated: "你不在座位上",
  not_host: "只有房主可以",
  not_now: "现在不行",
  seat_taken: "座位已有人",
  room_full: "房间已坐满",
  no_such_room: "没有这个房间",
  room_closed: "房间已关闭",
  not_allowed: "没有权限",
  rate_limited: "太快了，稍等一下",
  busy: "服务器忙，请再试一次",
  frozen: "牌桌已停下",
  moved: "牌桌换了服务器，正在重连",
  saving: "正在保存，请稍等",
  internal: "服务器出错了",
  not_signed_in: "请重新登录",
  wrong_password: "名字或密码不对",
  name_taken: "名字已有人用",
  not_found: "没有找到",
  invalid: "内容不对",
  conflict: "和现在的状态冲突",
  banned: "账号被限制",
  gone: "已经不在了",
  too_many_tables: "服务器桌数已满，请稍后再来",
  forbidden: "没有权限",
  blocked_word: "含有不能用的词",
  muted: "管理员已将你禁言",
  malformed: "内容不对",
  too_large: "内容太长",
};

/** @param {unknown} error */
export function refusalText(error) {
  if (!(error instanceof Refusal)) return t("打不开这一页，请检查网络");
  if (error.leftMs !== null) return t("管理员已将你禁言，还有 {0} 分钟", Math.ceil(error.leftMs / 60_000));
  const text = t(TEXTS[error.code] ?? "没有成功");
  return error.detail?.field ? `${text}（${error.detail.field}）` : text;
}

/** Shows why something was refused. @param {unknown} error */
export const told = (error) => toast(refusalText(error));

/** Runs something and shows a refusal; true when it went well. @param {() => Promise<unknown>} work */
export async function tried(work) {
  try {
    await work();
    return true;
  } catch (error) {
    told(error);
    return false;
  }
}
