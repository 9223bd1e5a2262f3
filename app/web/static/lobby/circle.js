// @ts-check
/** 亲友圈: my circles in the lobby, and one circle: its tables live, templates, members, board. */
import { allVariants, get, patch, post, remove, session, tableSettings, variantName } from "../api.js";
import { callFor } from "../attention.js";
import { h, icon } from "../dom.js";
import { t } from "../i18n.js";
import { LIMITS } from "../limits.js";
import { refusalText, tried } from "../refusals.js";
import { copied, question, toast } from "../speak.js";
import { sprite } from "../tiles.js";
import { openLobbyFeed } from "./feed.js";
import { gameTile } from "./games.js";
import { enter } from "./enter.js";
import { applications, manage } from "./manage.js";
import { boardCard, memberList, ROLES, sign } from "./members.js";
import { sitsThere } from "./search.js";
import { newTemplate } from "./template.js";

export function circlesCard() {
  const list = h("div", { class: "circle-list" }, h("p", { class: "none", text: t("读取中…") }));
  const card = h(
    "section",
    { class: "card circles", id: "circles", "aria-label": t("亲友圈") },
    h(
      "div",
      { class: "hd" },
      h("h2", { text: t("亲友圈") }),
      h(
        "span",
        { class: "line" },
        h("button", { class: "btn sm quiet", type: "button", "data-do": "join-circle", text: t("加入"), on: { click: joinCircle } }),
        h("button", { class: "btn sm quiet", type: "button", "data-do": "new-circle", text: t("新建"), on: { click: foundCircle } }),
      ),
    ),
    list,
  );
  const show = (/** @type {any[]} */ items) => {
    if (!items.length) return list.replaceChildren(h("p", { class: "none", text: t("和常一起打牌的人建一个圈，玩法存好，一点就开桌。") }));
    list.replaceChildren(
      ...items.map((/** @type {any} */ c) =>
        h(
          "a",
          { class: "circle", href: `#/circle/${c.id}` },
          sign(c.name),
          h(
            "span",
            { class: "g" },
            h("b", { text: c.name }),
            h("small", { class: "num", text: `${c.members} ${t("人")} · ${t(ROLES[c.role])}` }),
          ),
          c.applications && c.role !== "member" ? h("span", { class: "chip hot", text: t("{0} 人申请", c.applications) }) : null,
          h("span", { class: "go", "aria-hidden": "true", text: "›" }),
        ),
      ),
    );
  };
  const read = () =>
    get("/circles").then(
      ({ items }) => show(items),
      (error) =>
        list.replaceChildren(
          h("p", { class: "none", role: "alert", text: refusalText(error) }),
          h("button", { class: "btn sm quiet", type: "button", text: t("重试"), on: { click: read } }),
        ),
    );
  read();
  return card;
}

async function foundCircle() {
  const name = await question(t("给新的亲友圈起个名字"), { yes: t("新建"), field: t("名字"), needed: true, most: LIMITS.name });
  if (name)
    await tried(async () => {
      location.hash = `#/circle/${(await post("/circles", { name })).id}`;
    });
}

async function joinCircle() {
  const code = await question(t("输入亲友圈的 8 位号码"), {
    yes: t("申请加入"),
    field: t("号码"),
    needed: true,
    most: 2 * LIMITS.circleCode,
  });
  if (code)
    await tried(async () => {
      const { name } = await post("/circles/join", { code: code.replace(/\D/g, "") });
      toast(t("已向「{0}」申请，等管理同意", name));
    });
}

/** One circle, drawn again after every order. @param {HTMLElement} root @param {string} id */
export async function openCircle(root, id) {
  sprite();
  let left = false;
  let close = () => {};
  let turn = 0;
  /** A drawing that was asked for before something else came into its place is thrown away. */
  const draw = async () => {
    const mine = ++turn;
    const made = await circlePage(
      root,
      id,
      () => tried(draw),
      () => void (turn += 1),
    );
    if (left || mine !== turn) return made.close();
    close();
    close = made.close;
    root.replaceChildren(made.page);
  };
  await draw();
  return () => {
    left = true;
    close();
  };
}

/** @param {HTMLElement} root @param {string} id @param {() => void} again @param {() => void} stay no drawing under way may take the place of a form */
async function circlePage(root, id, again, stay) {
  const path = `/circles/${encodeURIComponent(id)}`;
  const [circle, templates, variants] = await Promise.all([get(path), get(`${path}/templates`), allVariants()]);
  const leads = circle.role !== "member";
  const waiting = leads ? applications(path, again) : null;
  const [orders] = await Promise.all([leads ? manage(circle, path, again) : null, waiting?.show(circle.applications)]);
  const members = memberList(circle, path, again);
  const size = h("h2", { text: `${t("成员")} ${circle.members}` });
  const tables = h("div", { class: "tables" }, h("p", { class: "none", text: t("读取中…") }));
  /** A player has applied, come or gone: the lists are read again, and nothing that is being filled in is touched. */
  const changed = async () => {
    const now = await get(path).catch(() => null);
    if (!now) return;
    size.textContent = `${t("成员")} ${now.members}`;
    await Promise.all([waiting?.show(now.applications), members.start()]);
  };
  /** @type {Set<string>|null} */
  let known = null;
  const feed = openLobbyFeed(
    { circle: id },
    (rooms) => {
      const fresh = known ? rooms.filter((room) => !known?.has(room.id) && room.phase === "waiting" && !sitsThere(room)) : [];
      if (fresh.length) callFor(t("有人开桌，等你来"), circle.name);
      known = new Set(rooms.map((room) => room.id));
      tables.replaceChildren(...tableList(rooms, variants, leads, path));
    },
    changed,
  );
  const page = h(
    "main",
    { class: "page circle-page" },
    h(
      "header",
      {},
      h("a", { class: "icon", href: "#/", "aria-label": t("返回") }, icon("back")),
      h("h1", { text: circle.name }),
      h("span", { class: "chip", text: t(ROLES[circle.role]) }),
      h(
        "button",
        { class: "btn sm quiet num end", type: "button", on: { click: () => copied(circle.code, t("已复制圈号")) } },
        h("small", { text: t("圈号") }),
        circle.code,
      ),
    ),
    notice(circle, leads, path, again),
    waiting?.card,
    h("section", { class: "card", "aria-label": t("牌桌") }, h("h2", { text: t("正在开的桌") }), tables),
    h(
      "section",
      { class: "card", "aria-label": t("玩法") },
      h(
        "div",
        { class: "line spread" },
        h("h2", { text: t("玩法，一点就开桌") }),
        leads
          ? h("button", {
              class: "btn sm quiet",
              type: "button",
              "data-do": "template",
              text: t("存一个玩法"),
              on: {
                click: async () => {
                  stay();
                  newTemplate(root, path, variants, await tableSettings(), again);
                },
              },
            })
          : null,
      ),
      templates.items.length
        ? h(
            "ul",
            { class: "rows" },
            templates.items.map((/** @type {any} */ x) => templateRow(x, id, path, variants, leads, again)),
          )
        : h("p", { class: "none", text: t("还没有存好的玩法。") }),
    ),
    boardCard(circle, path),
    h("section", { class: "card", "aria-label": t("成员") }, size, members.element),
    orders,
    h(
      "div",
      { class: "line farewell" },
      circle.role === "owner"
        ? h("button", {
            class: "btn sm quiet",
            type: "button",
            text: t("解散亲友圈"),
            on: { click: () => leaveFor(t("解散「{0}」？正在打的桌也会结束。", circle.name), t("解散"), () => remove(path)) },
          })
        : h("button", {
            class: "btn sm quiet",
            type: "button",
            text: t("退出亲友圈"),
            on: {
              click: () => leaveFor(t("退出「{0}」？", circle.name), t("退出"), () => remove(`${path}/members/${session()?.user.id}`)),
            },
          }),
    ),
  );
  return { page, close: () => feed.close() };
}

/** @param {string} text @param {string} yes @param {() => Promise<unknown>} work */
async function leaveFor(text, yes, work) {
  if ((await question(text, { yes })) !== null && (await tried(work))) location.hash = "#/";
}

/** @param {any} circle @param {boolean} leads @param {string} path @param {() => void} again */
function notice(circle, leads, path, again) {
  const edit = async () => {
    const text = await question(t("圈子公告"), { yes: t("保存"), field: t("公告"), value: circle.notice, most: LIMITS.notice });
    if (text !== null && (await tried(() => patch(path, { notice: text })))) again();
  };
  if (!circle.notice && !leads) return null;
  return h(
    "section",
    { class: "card notice", "aria-label": t("公告") },
    h("p", { text: circle.notice || t("还没有公告。") }),
    leads ? h("button", { class: "btn sm quiet", type: "button", text: t("改公告"), on: { click: edit } }) : null,
  );
}

/** The button of a table: back to one's seat, sit down, watch where the room allows it, or none. @param {any} room
 * @param {number} free */
function entrance(room, free) {
  const join = () =>
    tried(async () => {
      await post(`/rooms/${encodeURIComponent(room.id)}/join`);
      enter(room);
    });
  const to = (/** @type {string} */ label) => h("a", { class: "btn sm quiet", href: `#/table/${room.id}`, text: t(label) });
  if (sitsThere(room)) return to("回到牌桌");
  if (room.phase === "waiting" && free)
    return h("button", { class: "btn sm", type: "button", "data-join": room.id, text: t("坐下"), on: { click: join } });
  return room.watched_by === "off" ? null : to("看看");
}

/** Open tables with their seats. @param {any[]} rooms @param {any[]} variants @param {boolean} leads @param {string} path */
function tableList(rooms, variants, leads, path) {
  if (!rooms.length) return [h("p", { class: "none", text: t("现在没有人开桌。") })];
  const close = async (/** @type {any} */ room) => {
    const reason = await question(t("解散这一桌？这一局作废，已结算的局都算数。"), { yes: t("解散"), field: t("原因") });
    if (reason !== null) await tried(() => post(`${path}/rooms/${encodeURIComponent(room.id)}/dissolve`, { reason }));
  };
  return [
    h(
      "ul",
      { class: "rows" },
      rooms.map((room) => {
        const free = room.seats.filter((/** @type {any} */ s, /** @type {number} */ at) => !s && !room.bots?.[at]).length;
        const waits = room.phase === "waiting";
        return h(
          "li",
          {},
          h("span", { class: "tile-mark", "aria-hidden": "true" }, gameTile(room.variant)),
          h(
            "span",
            { class: "g" },
            h(
              "b",
              { class: "named" },
              h("span", { text: t(variantName(variants, room.variant)) }),
              h("span", {
                class: `chip num ${waits && free ? "hot" : ""}`,
                text: waits ? t("缺 {0} 人", free) : `${room.played + 1}/${room.rounds}`,
              }),
            ),
            h("small", {
              text: room.seats
                .map((/** @type {any} */ s, /** @type {number} */ at) => s?.name ?? (room.bots?.[at] ? t("电脑") : t("空位")))
                .join(" · "),
            }),
          ),
          h(
            "span",
            { class: "orders" },
            leads ? h("button", { class: "btn sm quiet", type: "button", text: t("解散"), on: { click: () => close(room) } }) : null,
            entrance(room, free),
          ),
        );
      }),
    ),
  ];
}

/** @param {any} template @param {string} circle @param {string} path @param {any[]} variants @param {boolean} leads @param {() => void} again */
function templateRow(template, circle, path, variants, leads, again) {
  const play = () => tried(async () => enter(await post("/rooms", { circle, template: template.id })));
  const drop = async () => {
    if (
      (await question(t("删除玩法「{0}」？", template.name), { yes: t("删除") })) !== null &&
      (await tried(() => remove(`${path}/templates/${template.id}`)))
    )
      again();
  };
  return h(
    "li",
    {},
    h("span", { class: "tile-mark", "aria-hidden": "true" }, gameTile(template.variant)),
    h("span", { class: "g" }, h("b", { text: template.name }), h("small", { text: t(variantName(variants, template.variant)) })),
    leads ? h("button", { class: "btn sm quiet", type: "button", text: t("删除"), on: { click: drop } }) : null,
    h("button", { class: "btn sm", type: "button", "data-template": template.id, text: t("开桌"), on: { click: play } }),
  );
}
