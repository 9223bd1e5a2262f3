// @ts-check
/** Pages for operators: nodes and their figures, and the audit log. */
import { grouped, h } from "../dom.js";
import { t } from "../i18n.js";
import { tried } from "../refusals.js";
import { moment } from "./history.js";
import { ask, get, small, withReason } from "./orders.js";

/** @param {() => void} draw */
export async function nodesPart(draw) {
  const [{ items }, counters, alerts, refused] = await Promise.all([get("/nodes"), get("/counters"), get("/alerts"), get("/refused")]);
  const drain = (/** @type {any} */ n) =>
    withReason(t("排空节点 {0}？它的桌会移到别处。", n.name), "排空", (reason) => ask("POST", `/nodes/${n.name}/drain`, { reason }), draw);
  const close = (/** @type {any} */ a) =>
    withReason(t("关闭 {0} 的警报？", a.room), "关闭", (reason) => ask("POST", `/alerts/${a.room}/close`, { reason }), draw);
  const again = (/** @type {any} */ r) =>
    withReason(t("再次存档 {0}？", r.room), "重试", (reason) => ask("POST", `/refused/${r.room}/retry`, { reason }), draw);
  return [
    troubles(
      "警报",
      alerts.items.map((/** @type {any} */ a) => [
        `${a.room} · ${t(WHAT[a.what])}`,
        `${moment(a.at)} · ${a.text}`,
        small("关闭", () => close(a)),
      ]),
    ),
    troubles(
      "存档不收的局",
      refused.items.map((/** @type {any} */ r) => [r.room, r.names.join(" "), small("重试", () => again(r))]),
    ),
    h(
      "section",
      { class: "card", "aria-label": t("节点") },
      h("h2", { text: t("节点") }),
      h(
        "ul",
        { class: "rows" },
        items.map((/** @type {any} */ n) =>
          h(
            "li",
            {},
            h("span", { class: "g" }, h("b", { text: n.name }), h("small", { class: "num", text: `${n.tables} ${t("桌")}` })),
            n.draining ? h("span", { class: "chip warn", text: t("正在排空") }) : small("排空", () => drain(n), "drain"),
          ),
        ),
      ),
    ),
    figures("现在", counters.live),
    figures("存档", counters.archive),
  ];
}

/** @type {Record<string, string>} */
const WHAT = { frozen: "已停下", store_lost: "存储丢失", corrupt: "记录损坏", refused: "存档不收" };

/** @param {string} title @param {[string, string, Node][]} rows */
const troubles = (title, rows) =>
  h(
    "section",
    { class: "card", "aria-label": t(title) },
    h("h2", { text: t(title) }),
    rows.length
      ? h(
          "ul",
          { class: "rows" },
          rows.map(([name, says, button]) =>
            h("li", {}, h("span", { class: "g" }, h("b", { text: name }), h("small", { text: says })), button),
          ),
        )
      : h("p", { class: "none", text: t("没有") }),
  );

/** @type {Record<string, string>} */
const FIGURES = {
  tables: "牌桌",
  playing: "在打",
  connections: "连接",
  spectators: "旁观",
  frozen: "已停下",
  quarantine: "隔离",
  loop_lag_ms: "循环延迟（毫秒）",
  created: "开过",
  opened: "打开过",
  left: "离开过",
  quarantined: "隔离过",
  stalls: "停顿",
  sockets: "套接字",
  rounds_written: "已写入的局",
  tasks: "任务",
  store_problems: "存储设置有误",
  users: "玩家",
  accounts: "账号",
  circles: "亲友圈",
  matches_open: "进行中的场",
  rounds: "局",
  rounds_day: "一天内的局",
  reports_open: "待处理举报",
  bans: "封禁",
};

/** @param {string} title @param {Record<string, number>} numbers */
const figures = (title, numbers) =>
  h(
    "section",
    { class: "card", "aria-label": t(title) },
    h("h2", { text: t(title) }),
    h(
      "dl",
      { class: "counters" },
      Object.entries(numbers).map(([key, value]) =>
        h("div", {}, h("dt", { text: t(FIGURES[key] ?? key) }), h("dd", { class: "num", text: grouped(value) })),
      ),
    ),
  );

/** @type {Record<string, string>} */
const ACTIONS = {
  sign_in: "登录",
  who_am_i: "验证身份",
  my_tokens: "看令牌",
  make_token: "发令牌",
  revoke_token: "收回令牌",
  accounts: "看账号",
  create_account: "建账号",
  change_account: "改账号",
  audit_log: "看日志",
  live_rooms: "看一桌",
  room: "看一桌",
  inspect_room: "查看牌桌",
  dissolve: "解散",
  freeze: "停下",
  release: "放行",
  kick: "请出",
  announce: "公告",
  nodes: "看节点",
  drain: "排空",
  counters: "看数字",
  alerts: "看警报",
  close_alert: "关闭警报",
  refused_documents: "看存档不收的局",
  refused_document: "看存档不收的局",
  retry_refused: "重试存档",
  find_users: "查找玩家",
  user: "看玩家",
  ban: "封禁",
  mute: "禁言",
  list_sanctions: "看处罚",
  lift: "解除",
  reports: "看举报",
  handle_report: "处理举报",
  adjust_ladder: "改积分",
  export_record: "导出牌谱",
};

/** Orders only, or looks as well; kept while the page lives. */
let everything = false;

/** @param {() => void} draw */
export async function auditPart(draw) {
  const body = h("tbody", {});
  const more = h("button", { class: "btn sm quiet more", type: "button", text: t("更早"), on: { click: () => tried(load) } });
  let before = "";
  async function load() {
    const { items } = await get(`/audit?limit=50${everything ? "" : "&orders=true"}${before}`);
    body.append(...items.map(auditRow));
    before = items.length ? `&before=${items.at(-1).id}` : before;
    more.hidden = items.length < 50;
    if (!body.children.length) body.append(h("tr", {}, h("td", { class: "none", colspan: 6, text: t("还没有记录。") })));
  }
  const all = h("input", {
    type: "checkbox",
    role: "switch",
    checked: everything,
    on: {
      change: (/** @type {any} */ e) => {
        everything = e.target.checked;
        draw();
      },
    },
  });
  await load();
  return h(
    "section",
    { class: "card", "aria-label": t("日志") },
    h(
      "div",
      { class: "line spread" },
      h("h2", { text: t("日志") }),
      h("label", { class: "line sw log-all" }, h("span", { text: t("只是看过的也列出") }), all),
    ),
    h(
      "div",
      { class: "scroll", tabindex: 0, role: "region", "aria-label": t("日志") },
      h(
        "table",
        { class: "num log" },
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            ["时间", "谁", "做了什么", "对象", "原因", "结果"].map((x) => h("th", { text: t(x) })),
          ),
        ),
        body,
      ),
    ),
    more,
  );
}

/** @param {any} a */
const auditRow = (a) =>
  h(
    "tr",
    {},
    h("td", { class: "when", text: moment(a.at) }),
    h("td", { text: a.actor }),
    h("td", {}, h("b", { text: t(ACTIONS[a.action] ?? a.action) })),
    h("td", {}, h("code", { text: a.subject })),
    h("td", { class: "why", text: a.reason }),
    h("td", {}, outcomeOf(a.status)),
  );

/** @param {number|null} status */
function outcomeOf(status) {
  if (!status) return h("span", { class: "chip", text: t("开始") });
  return h("span", { class: `chip ${status < 300 ? "" : "warn"}`, text: status < 300 ? t("成功") : String(status) });
}
