// @ts-check
/** The people of a circle: the board of a period, and its members with what each did. */
import { get, patch, remove, session } from "../api.js";
import { initial, portrait } from "../avatar.js";
import { h, signed } from "../dom.js";
import { t } from "../i18n.js";
import { paged } from "../pages/paged.js";
import { refusalText, tried } from "../refusals.js";
import { question } from "../speak.js";

export const ROLES = /** @type {Record<string, string>} */ ({ owner: "圈主", manager: "管理员", member: "成员" });
const PERIODS = /** @type {const} */ ([
  ["day", "今天"],
  ["week", "本周"],
  ["month", "本月"],
  ["all", "全部"],
]);

/** The sign of a circle. @param {string} name */
export const sign = (name) => h("span", { class: "faces", "aria-hidden": "true" }, h("i", { text: initial(name) }));

/** A member's picture; the ring marks owner and managers. @param {any} member */
const face = (member) => h("span", { class: `faces ${member.role ?? ""}`, "aria-hidden": "true" }, h("i", {}, portrait(member.avatar)));

/** The board of a period, with links to finished play. @param {any} circle @param {string} path */
export function boardCard(circle, path) {
  const box = h("div", { class: "board" });
  const tabs = h("div", { class: "tab-links", role: "group", "aria-label": t("时间") });
  let turn = 0;
  const show = async (/** @type {string} */ period) => {
    const mine = ++turn;
    for (const b of tabs.children) b.setAttribute("aria-pressed", String(/** @type {HTMLElement} */ (b).dataset.period === period));
    const rows = await get(`${path}/leaderboard?period=${period}`).catch((error) => ({ error }));
    if (mine !== turn) return;
    box.replaceChildren("error" in rows ? h("p", { class: "none", role: "alert", text: refusalText(rows.error) }) : boardTable(rows.items));
  };
  tabs.append(
    ...PERIODS.map(([key, label]) =>
      h("button", { class: "tab-link", type: "button", "data-period": key, text: t(label), on: { click: () => show(key) } }),
    ),
  );
  show("week");
  return h(
    "section",
    { class: "card", "aria-label": t("排行") },
    h(
      "div",
      { class: "line spread" },
      h("h2", { text: t("排行") }),
      h("a", { class: "btn sm quiet", href: `#/history/${circle.id}`, text: t("对局") }),
      h("a", { class: "btn sm quiet", href: `#/dealings/${circle.id}`, text: t("坐庄记录") }),
    ),
    tabs,
    box,
  );
}

/** @param {any[]} rows */
function boardTable(rows) {
  if (!rows.length) return h("p", { class: "none", text: t("这段时间还没有打过。") });
  return h(
    "table",
    { class: "num" },
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        ["名次", "名字"].map((x) => h("th", { text: t(x) })),
        ["局数", "胡", "得失"].map((x) => h("th", { class: "n", text: t(x) })),
      ),
    ),
    h(
      "tbody",
      {},
      rows.map((r) =>
        h(
          "tr",
          {},
          h("td", { text: r.rank }),
          h("td", { text: r.name }),
          h("td", { class: "n", text: r.rounds }),
          h("td", { class: "n", text: r.wins }),
          h("td", { class: `n ${r.net > 0 ? "up" : r.net < 0 ? "dn" : ""}`, text: signed(r.net) }),
        ),
      ),
    ),
  );
}

/** Owner, managers, members, read page by page. @param {any} circle @param {string} path @param {() => void} again */
export function memberList(circle, path, again) {
  const me = session()?.user.id;
  const over = (/** @type {any} */ m) => m.id !== me && (circle.role === "owner" || (circle.role === "manager" && m.role === "member"));
  const after = async (/** @type {() => Promise<unknown>} */ work) => (await tried(work)) && again();
  const expel = async (/** @type {any} */ m) => {
    if ((await question(t("请「{0}」离开亲友圈？", m.name), { yes: t("移出") })) !== null) after(() => remove(`${path}/members/${m.id}`));
  };
  const list = paged(
    (cursor) => get(`${path}/members?limit=50${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ""}`),
    (m) => [
      h(
        "li",
        {},
        face(m),
        h(
          "span",
          { class: "g" },
          h(
            "b",
            { class: "named" },
            h("span", { text: m.name }),
            m.role === "member" ? null : h("span", { class: "chip", text: t(ROLES[m.role]) }),
          ),
          h("small", {
            class: "num",
            text: m.played ? `${m.played.rounds} ${t("局")} · ${t("胡")} ${m.played.wins} · ${signed(m.played.net)}` : t("还没打过"),
          }),
        ),
        circle.role === "owner" && m.id !== me
          ? h("button", {
              class: "btn sm quiet",
              type: "button",
              text: t(m.role === "manager" ? "撤管理" : "设管理"),
              on: { click: () => after(() => patch(`${path}/members/${m.id}`, { role: m.role === "manager" ? "member" : "manager" })) },
            })
          : null,
        over(m) ? h("button", { class: "btn sm quiet", type: "button", text: t("移出"), on: { click: () => expel(m) } }) : null,
      ),
    ],
    () => [],
    h("ul", { class: "rows" }),
  );
  list.start();
  return list;
}
