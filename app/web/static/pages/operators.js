// @ts-check
/** The parts of the operators' page: what each shows and which orders it gives. Every order has a reason. */
import { allVariants, callAs, variantName } from "../api.js";
import { h } from "../dom.js";
import { t } from "../i18n.js";
import { tried } from "../refusals.js";
import { question, toast } from "../speak.js";
import { moment } from "./history.js";

/** Where the operator's token is kept until the tab is closed. */
export const KEY = "quezhuo.operator";

/** @param {string} method @param {string} path @param {any} [body] */
const ask = (method, path, body) => callAs(sessionStorage.getItem(KEY) ?? "", method, `/admin${path}`, body);
export const get = (/** @type {string} */ path) => ask("GET", path);

/** An order that needs a reason; the list is drawn again after it. @param {string} text @param {string} yes @param {(reason: string) => Promise<any>} send @param {() => void} draw */
async function withReason(text, yes, send, draw) {
  const reason = await question(text, { yes: t(yes), field: t("原因"), needed: true });
  if (!reason) return;
  if (
    await tried(async () => {
      const done = await send(reason);
      toast(done?.note || t("已执行"));
    })
  )
    draw();
}

/** @param {string} label @param {() => void} run @param {string} [name] */
const small = (label, run, name) =>
  h("button", { class: "btn sm quiet", type: "button", "data-do": name, text: t(label), on: { click: run } });

/** @type {Record<string, (draw: () => void, me: any) => Promise<Node[]|Node>>} */
export const PARTS = {
  rooms: roomsPart,
  people: peoplePart,
  reports: reportsPart,
  nodes: nodesPart,
  audit: auditPart,
};

/** @param {() => void} draw @param {any} me */
async function roomsPart(draw, me) {
  const [{ items }, variants, counters] = await Promise.all([get("/rooms?limit=100"), allVariants(), get("/counters")]);
  const announce = () => withReason(t("向所有牌桌公告"), "公告", (text) => ask("POST", "/announcements", { text, reason: text }), draw);
  return [
    h(
      "details",
      { class: "card" },
      h("summary", { text: t("数字") }),
      h(
        "dl",
        { class: "counters" },
        Object.entries({ ...counters.live, ...counters.archive }).map(([k, v]) =>
          h("div", {}, h("dt", { text: k }), h("dd", { class: "num", text: v })),
        ),
      ),
    ),
    h(
      "section",
      { class: "card", "aria-label": t("牌桌") },
      h("div", { class: "line spread" }, h("h2", { text: `${t("牌桌")} ${items.length}` }), small("公告", announce)),
      items.length
        ? h(
            "ul",
            { class: "rows" },
            items.map((/** @type {any} */ r) => roomRow(r, variants, draw, me)),
          )
        : h("p", { class: "none", text: t("现在没有人开桌。") }),
    ),
  ];
}

/** @param {any} room @param {any[]} variants @param {() => void} draw @param {any} me */
function roomRow(room, variants, draw, me) {
  const path = `/rooms/${encodeURIComponent(room.id)}`;
  const send = (/** @type {string} */ what) => (/** @type {string} */ reason) => ask("POST", `${path}/${what}`, { reason });
  const shown = h("pre", { class: "inspection", hidden: true, tabindex: 0 });
  const look = () =>
    withReason(
      t("查看牌桌（含暗牌）会记入日志"),
      "查看",
      async (reason) => {
        const { table } = await get(`${path}/inspect?everything=true&reason=${encodeURIComponent(reason)}`);
        shown.textContent = JSON.stringify(table, null, 1);
        shown.hidden = false;
      },
      () => undefined,
    );
  const kick = (/** @type {any} */ s) =>
    withReason(t("请出 {0}", s.name), "请出", (reason) => ask("POST", `${path}/kick`, { user: s.user, reason }), draw);
  return h(
    "li",
    { class: "room", "data-room": room.id },
    h(
      "span",
      { class: "g" },
      h(
        "b",
        { class: "num" },
        `${t(variantName(variants, room.variant))} ${room.code} `,
        room.frozen ? h("span", { class: "chip warn", text: t("已停下") }) : null,
      ),
      h(
        "small",
        {},
        room.seats.map((/** @type {any} */ s) =>
          s
            ? h("button", {
                class: "name",
                type: "button",
                disabled: s.bot,
                text: s.bot ? t("电脑") : s.name,
                on: { click: () => kick(s) },
              })
            : h("i", { text: t("空位") }),
        ),
      ),
    ),
    h("span", { class: "chip num", text: `${t(room.phase)} ${room.played}/${room.rounds}` }),
    me.scopes.includes("inspect") ? small("查看", look, "inspect") : null,
    room.frozen
      ? small("放行", () => withReason(t("放行这一桌"), "放行", send("release"), draw))
      : small("停下", () => withReason(t("让这一桌停下"), "停下", send("freeze"), draw)),
    small("解散", () => withReason(t("解散这一桌？这一局作废，已结算的局都算数。"), "解散", send("dissolve"), draw), "dissolve"),
    shown,
  );
}

/** @param {() => void} draw */
async function peoplePart(draw) {
  const found = h("ul", { class: "rows" });
  const name = /** @type {HTMLInputElement} */ (h("input", { "aria-label": t("名字"), placeholder: t("名字开头"), required: true }));
  const search = async (/** @type {Event} */ e) => {
    e.preventDefault();
    await tried(async () => {
      const { items } = await get(`/users?name=${encodeURIComponent(name.value)}`);
      found.replaceChildren(
        ...(items.length ? items.map((/** @type {any} */ u) => personRow(u, draw)) : [h("li", { text: t("没有找到") })]),
      );
    });
  };
  const { items } = await get("/sanctions");
  return [
    h(
      "section",
      { class: "card", "aria-label": t("玩家") },
      h(
        "form",
        { class: "line", on: { submit: search } },
        h("span", { class: "g" }, name),
        h("button", { class: "btn sm", type: "submit", text: t("查找") }),
      ),
      found,
    ),
    h(
      "section",
      { class: "card", "aria-label": t("处罚") },
      h("h2", { text: t("处罚") }),
      items.length
        ? h(
            "ul",
            { class: "rows" },
            items.map((/** @type {any} */ s) =>
              h(
                "li",
                {},
                h(
                  "span",
                  { class: "g" },
                  h("b", { text: `${s.name ?? s.user_id ?? t("设备")} · ${t(s.kind === "ban" ? "封禁" : "禁言")}` }),
                  h("small", { text: `${s.reason} · ${s.imposed_by} · ${moment(s.created_at)}` }),
                ),
                s.in_force
                  ? small("解除", () => withReason(t("解除"), "解除", (reason) => ask("POST", `/sanctions/${s.id}/lift`, { reason }), draw))
                  : h("span", { class: "chip", text: t("已失效") }),
              ),
            ),
          )
        : h("p", { class: "none", text: t("没有") }),
    ),
  ];
}

/** @param {any} u @param {() => void} draw */
const personRow = (u, draw) =>
  h(
    "li",
    {},
    h(
      "span",
      { class: "g" },
      h("b", { text: u.name }),
      h("small", { text: `${t(u.registered ? "账号" : "游客")} · ${moment(u.created_at)}` }),
    ),
    small("禁言", () => withReason(t("禁言 {0}", u.name), "禁言", (reason) => ask("POST", `/users/${u.id}/mute`, { reason }), draw)),
    small(
      "封禁",
      () =>
        withReason(
          t("封禁 {0} 和他的设备", u.name),
          "封禁",
          (reason) => ask("POST", `/users/${u.id}/ban`, { reason, devices: true }),
          draw,
        ),
      "ban",
    ),
  );

/** @param {() => void} draw */
async function reportsPart(draw) {
  const { items } = await get("/reports");
  return h(
    "section",
    { class: "card", "aria-label": t("举报") },
    items.length
      ? h(
          "ul",
          { class: "rows" },
          items.map((/** @type {any} */ r) =>
            h(
              "li",
              {},
              h(
                "span",
                { class: "g" },
                h("b", { text: `${r.reporter} → ${r.reported}` }),
                h("small", { text: `${r.reason} · ${r.text} · ${moment(r.created_at)}` }),
              ),
              small("处理", () =>
                withReason(t("怎样处理的"), "处理", (reason) => ask("POST", `/reports/${r.id}/handle`, { reason }), draw),
              ),
            ),
          ),
        )
      : h("p", { class: "none", text: t("没有") }),
  );
}

/** @param {() => void} draw */
async function nodesPart(draw) {
  const { items } = await get("/nodes");
  return h(
    "section",
    { class: "card", "aria-label": t("节点") },
    h(
      "ul",
      { class: "rows" },
      items.map((/** @type {any} */ n) =>
        h(
          "li",
          {},
          h("span", { class: "g" }, h("b", { text: n.name }), h("small", { class: "num", text: `${n.tables} ${t("桌")}` })),
          n.draining
            ? h("span", { class: "chip warn", text: t("正在排空") })
            : small(
                "排空",
                () =>
                  withReason(
                    t("排空节点 {0}？它的桌会移到别处。", n.name),
                    "排空",
                    (reason) => ask("POST", `/nodes/${n.name}/drain`, { reason }),
                    draw,
                  ),
                "drain",
              ),
        ),
      ),
    ),
  );
}

async function auditPart() {
  const { items } = await get("/audit?limit=100");
  return h(
    "section",
    { class: "card scroll", tabindex: 0, "aria-label": t("日志") },
    h(
      "table",
      { class: "num" },
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          ["时间", "谁", "做了什么", "对象", "原因", "结果"].map((x) => h("th", { text: t(x) })),
        ),
      ),
      h(
        "tbody",
        {},
        items.map((/** @type {any} */ a) =>
          h(
            "tr",
            {},
            [moment(a.at), a.actor, a.action, a.subject, a.reason, a.status || t("开始")].map((x) => h("td", { text: x })),
          ),
        ),
      ),
    ),
  );
}
