// @ts-check
/** 程序令牌: long-lived tokens for programs of mine; made, listed with their last use, revoked. A part of 我的. */
import { post, remove } from "../api.js";
import { h } from "../dom.js";
import { LIMITS } from "../limits.js";
import { t } from "../i18n.js";
import { tried } from "../refusals.js";
import { copied, question } from "../speak.js";
import { moment } from "./history.js";

/** Scope → what it allows. */
const SCOPES = { play: "打牌", read: "看资料", circle: "管亲友圈" };

/** @param {any[]} items @param {() => void} again */
export function tokensCard(items, again) {
  return h(
    "section",
    { class: "card", "aria-label": t("程序令牌") },
    h("h2", { text: t("程序令牌") }),
    h("p", { class: "none", text: t("给自己写的程序用，九十天有效；密码一改全部作废。") }),
    h(
      "ul",
      { class: "rows" },
      items.map((token) => row(token, again)),
    ),
    maker(again),
  );
}

/** @param {any} token @param {() => void} again */
const row = (token, again) =>
  h(
    "li",
    {},
    h(
      "span",
      { class: "g" },
      h("b", { text: token.label }),
      h("small", {
        text: [
          ...token.scopes.map((/** @type {keyof typeof SCOPES} */ scope) => t(SCOPES[scope])),
          token.last_used_at ? t("上次使用 {0}", moment(token.last_used_at)) : t("还没用过"),
        ].join(" · "),
      }),
    ),
    h("button", {
      class: "btn sm quiet",
      type: "button",
      text: t("撤销"),
      "data-revoke": token.id,
      on: { click: async () => (await tried(() => remove(`/me/tokens/${token.id}`))) && again() },
    }),
  );

/** A name, what it may do, and a button; the new token is shown once. @param {() => void} again */
function maker(again) {
  const label = /** @type {HTMLInputElement} */ (
    h("input", { name: "token", required: true, maxlength: LIMITS.text, "aria-label": t("令牌名称"), placeholder: t("令牌名称") })
  );
  const boxes = Object.keys(SCOPES).map((scope) =>
    /** @type {HTMLInputElement} */ (h("input", { type: "checkbox", value: scope, checked: scope !== "circle" })),
  );
  const make = async (/** @type {Event} */ e) => {
    e.preventDefault();
    const scopes = boxes.filter((box) => box.checked).map((box) => box.value);
    const made = await tried(async () => {
      const { token } = await post("/me/tokens", { label: label.value, scopes });
      const shown = { yes: t("复制"), field: t("令牌"), value: token, most: token.length };
      if ((await question(t("令牌只显示这一次"), shown)) !== null) await copied(token, t("已复制"));
    });
    if (made) again();
  };
  return h(
    "form",
    { class: "line", on: { submit: make } },
    label,
    boxes.map((box) => h("label", { class: "check" }, box, t(SCOPES[/** @type {keyof typeof SCOPES} */ (box.value)]))),
    h("button", { class: "btn sm", type: "submit", text: t("创建") }),
  );
}
