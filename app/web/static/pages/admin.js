// @ts-check
/** Operators' page: live rooms, inspect, dissolve with a reason, bans, reports, nodes, announcements, the audit log. For admin accounts only. */
import { callAs } from "../api.js";
import { h, icon } from "../dom.js";
import { t } from "../i18n.js";
import { tried } from "../refusals.js";
import { Refusal } from "../socket.js";
import { sprite } from "../tiles.js";
import { PARTS } from "./operators.js";
import { get, KEY } from "./orders.js";

const LIVE_MS = 5_000;
const ROLES = /** @type {Record<string, string>} */ ({ admin: "总管", operator: "运营", moderator: "巡查", viewer: "只看" });
const TABS = /** @type {const} */ ([
  ["rooms", "牌桌"],
  ["people", "玩家"],
  ["reports", "举报"],
  ["nodes", "节点"],
  ["audit", "日志"],
]);

/** @param {HTMLElement} root @param {string} [tab] @returns {Promise<(() => void)|void>} */
export async function openAdmin(root, tab = "rooms") {
  if (!sessionStorage.getItem(KEY)) return signIn(root, tab);
  let me;
  try {
    me = await get("/me");
  } catch (error) {
    if (!(error instanceof Refusal) || !["not_signed_in", "forbidden"].includes(error.code)) throw error;
    sessionStorage.removeItem(KEY);
    return signIn(root, tab);
  }
  const box = h("div", { class: "admin-box" });
  sprite();
  const draw = () =>
    tried(async () => {
      const parts = [await PARTS[tab](draw, me)].flat();
      const typing = document.activeElement?.matches("[data-keep]");
      box.replaceChildren(...parts);
      if (typing) box.querySelector(/** @type {"input"} */ ("[data-keep]"))?.focus();
    });
  const leave = () => {
    sessionStorage.removeItem(KEY);
    dispatchEvent(new HashChangeEvent("hashchange"));
  };
  root.replaceChildren(
    h(
      "main",
      { class: "page admin" },
      h(
        "header",
        {},
        h("a", { class: "icon", href: "#/", "aria-label": t("返回") }, icon("back")),
        h("h1", { text: t("运营") }),
        h("span", { class: "chip", text: `${me.name} · ${t(ROLES[me.role] ?? me.role)}` }),
        h("button", { class: "btn sm quiet end", type: "button", text: t("刷新"), on: { click: draw } }),
        h("button", { class: "btn sm quiet", type: "button", text: t("退出"), on: { click: leave } }),
      ),
      h(
        "nav",
        { class: "tab-links", "aria-label": t("运营") },
        TABS.map(([key, label]) =>
          h("a", { class: "tab-link", href: `#/admin/${key}`, "aria-current": key === tab ? "page" : null, text: t(label) }),
        ),
      ),
      box,
    ),
  );
  await draw();
  const beat = setInterval(
    () =>
      tab === "rooms" && !document.hidden && !document.querySelector("dialog[open], .inspection:not([hidden]), details[open]") && draw(),
    LIVE_MS,
  );
  return () => clearInterval(beat);
}

/** By name and password, or with a token. @param {HTMLElement} root @param {string} tab */
function signIn(root, tab) {
  const name = /** @type {HTMLInputElement} */ (h("input", { id: "op-name", autocomplete: "username" }));
  const secret = /** @type {HTMLInputElement} */ (
    h("input", { id: "op-secret", type: "password", required: true, autocomplete: "current-password" })
  );
  const inspect = /** @type {HTMLInputElement} */ (h("input", { type: "checkbox", role: "switch" }));
  const enter = async (/** @type {Event} */ e) => {
    e.preventDefault();
    await tried(async () => {
      const token = name.value ? await shift(name.value, secret.value, inspect.checked) : secret.value;
      await callAs(token, "GET", "/admin/me");
      sessionStorage.setItem(KEY, token);
      dispatchEvent(new HashChangeEvent("hashchange"));
    });
  };
  root.replaceChildren(
    h(
      "main",
      { class: "page" },
      h("header", {}, h("a", { class: "icon", href: "#/", "aria-label": t("返回") }, icon("back")), h("h1", { text: t("运营") })),
      h(
        "form",
        { class: "card", on: { submit: enter } },
        h("div", { class: "field" }, h("label", { for: "op-name", text: t("运营账号（用令牌登录时留空）") }), name),
        h("div", { class: "field" }, h("label", { for: "op-secret", text: t("密码或令牌") }), secret),
        h("label", { class: "line spread" }, h("span", { text: t("要求查看暗牌的权限（会记入日志）") }), inspect),
        h("div", { class: "line" }, h("button", { class: "btn main", type: "submit", text: t("登录") })),
      ),
    ),
  );
}

/** A token for a shift; the right to see hidden tiles only when asked for. @param {string} name @param {string} password @param {boolean} inspect */
async function shift(name, password, inspect) {
  const plain = await callAs("", "POST", "/admin/sessions", { name, password });
  if (!inspect) return plain.token;
  return (await callAs("", "POST", "/admin/sessions", { name, password, scopes: [...plain.scopes, "inspect"] })).token;
}
