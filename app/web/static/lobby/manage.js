// @ts-check
/** The tasks of a circle's owner and managers: applications, bans, pairs that never share a table, handing over. */
import { get, post, remove, session } from "../api.js";
import { portrait } from "../avatar.js";
import { h } from "../dom.js";
import { t } from "../i18n.js";
import { paged, readAll } from "../pages/paged.js";
import { tried } from "../refusals.js";
import { question } from "../speak.js";

/** Runs an order and draws again what it changed. @param {() => void} again @returns {(work: () => Promise<unknown>) => Promise<void>} */
const afterwards = (again) => async (work) => {
  if (await tried(work)) again();
};

/** @param {string} text @param {() => void} run */
const small = (text, run) => h("button", { class: "btn sm quiet", type: "button", text: t(text), on: { click: run } });

/**
 * Open applications, the newest first; hidden while there are none. `start` reads them again.
 * @param {string} path @param {() => void} again
 */
export function applications(path, again) {
  const after = afterwards(again);
  const answer = (/** @type {any} */ who, /** @type {string} */ how) => after(() => post(`${path}/applications/${who.id}/${how}`));
  const count = h("span", { class: "chip hot num" });
  const list = paged(
    (cursor) => get(`${path}/applications?limit=50${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ""}`),
    (a) => [
      h(
        "li",
        {},
        h("span", { class: "faces", "aria-hidden": "true" }, h("i", {}, portrait(a.avatar))),
        h("span", { class: "g" }, h("b", { text: a.name }), h("small", { text: a.message || t("没有留言") })),
        small("拒绝", () => answer(a, "reject")),
        h("button", {
          class: "btn sm",
          type: "button",
          "data-approve": a.id,
          text: t("同意"),
          on: { click: () => answer(a, "approve") },
        }),
      ),
    ],
    () => [],
    h("ul", { class: "rows" }),
  );
  const card = h(
    "section",
    { class: "card waiting-in", "aria-label": t("加入申请"), hidden: true },
    h("h2", {}, t("加入申请"), count),
    list.element,
  );
  /** @param {number} waiting how many there are */
  const show = async (waiting) => {
    card.hidden = waiting === 0;
    count.textContent = String(waiting);
    await list.start();
  };
  return { card, show };
}

/** Bans, pairs that never share a table, handing over. @param {any} circle @param {string} path @param {() => void} again */
export async function manage(circle, path, again) {
  const page = (/** @type {string} */ what) => (/** @type {string} */ cursor) =>
    get(`${path}/${what}?limit=100${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ""}`);
  const [members, bans, apart] = await Promise.all([readAll(page("members")), readAll(page("bans")), get(`${path}/apart`)]);
  const after = afterwards(again);
  const others = members.filter((m) => m.id !== session()?.user.id);
  return h(
    "section",
    { class: "card manage", "aria-label": t("管理") },
    h("h2", { text: t("管理") }),
    h("h3", { text: t("不同桌") }),
    h("p", { class: "hint", text: t("这两位不会坐到同一桌。只有圈主和管理看得到。") }),
    apart.items.map((/** @type {any} */ pair) =>
      h(
        "p",
        { class: "line" },
        h("span", { class: "g", text: `${pair.a.name} × ${pair.b.name}` }),
        small("取消", () => after(() => remove(`${path}/apart/${pair.a.id}/${pair.b.id}`))),
      ),
    ),
    pairForm(members, (a, b) => after(() => post(`${path}/apart`, { a, b }))),
    h("h3", { text: t("禁止加入") }),
    bans.length
      ? bans.map((/** @type {any} */ b) =>
          h(
            "p",
            { class: "line" },
            h("span", { class: "g" }, h("b", { text: b.name }), h("small", { text: b.reason })),
            small("取消", () => after(() => remove(`${path}/bans/${b.id}`))),
          ),
        )
      : h("p", { class: "hint", text: t("没有人被禁止。") }),
    choose(
      others.filter((m) => m.role === "member" || circle.role === "owner"),
      "禁止加入",
      (user) => ban(user, path, after),
    ),
    circle.role === "owner"
      ? [
          h("h3", { text: t("转让亲友圈") }),
          h("p", { class: "hint", text: t("转让以后你是管理。") }),
          choose(others, "转让", async (user, name) => {
            if ((await question(t("把亲友圈转让给「{0}」？", name), { yes: t("转让") })) !== null)
              after(() => post(`${path}/transfer`, { user }));
          }),
        ]
      : null,
  );
}

/** @param {string} user @param {string} path @param {(work: () => Promise<unknown>) => void} after */
async function ban(user, path, after) {
  const reason = await question(t("移出并且不能再申请"), { yes: t("禁止加入"), field: t("原因") });
  if (reason !== null) after(() => post(`${path}/bans`, { user, reason }));
}

/** @param {any[]} members @param {string} label */
const select = (members, label) =>
  /** @type {HTMLSelectElement} */ (
    h(
      "select",
      { "aria-label": label },
      members.map((m) => h("option", { value: m.id, text: m.name })),
    )
  );

/** One member and a button. @param {any[]} members @param {string} label @param {(id: string, name: string) => void} run */
function choose(members, label, run) {
  if (!members.length) return null;
  const list = select(members, t(label));
  const go = () => run(list.value, list.selectedOptions[0]?.textContent ?? "");
  return h("div", { class: "line" }, list, h("button", { class: "btn sm quiet", type: "button", text: t(label), on: { click: go } }));
}

/** @param {any[]} members @param {(a: string, b: string) => void} run */
function pairForm(members, run) {
  if (members.length < 2) return null;
  const [one, other] = [select(members, t("不同桌的一位")), select(members, t("不同桌的另一位"))];
  other.selectedIndex = members.length > 1 ? 1 : 0;
  return h(
    "div",
    { class: "line" },
    one,
    other,
    h("button", { class: "btn sm quiet", type: "button", text: t("不同桌"), on: { click: () => run(one.value, other.value) } }),
  );
}
