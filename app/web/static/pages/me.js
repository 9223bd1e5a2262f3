// @ts-check
/** 我的: name, picture, account, block list, my data; the settings of this device are `settings.js`. */
import { allVariants, get, keepUser, patch, post, remove, session, signIn, signInAs, signOut } from "../api.js";
import { AVATARS, drawingOf, portrait } from "../avatar.js";
import { h } from "../dom.js";
import { LIMITS } from "../limits.js";
import { download } from "../links.js";
import { t } from "../i18n.js";
import { tried } from "../refusals.js";
import { question, toast } from "../speak.js";
import { head } from "./history.js";
import { settingsCard } from "./settings.js";
import { tokensCard } from "./tokens.js";

/** @param {HTMLElement} root */
export async function openMe(root) {
  await signIn();
  const [me, blocks, tokens] = await Promise.all([get("/me"), get("/me/blocks"), get("/me/tokens"), allVariants()]);
  keepUser(me);
  const again = () => openMe(root);
  root.replaceChildren(
    h(
      "main",
      { class: "page" },
      head(t("我的")),
      nameCard(me, again),
      avatarCard(me),
      me.registered ? accountCard(me) : guestCard(me, again),
      settingsCard(),
      blocksCard(blocks.items, again),
      tokensCard(tokens.items, again),
      dataCard(me),
    ),
  );
}

/** @param {string} label @param {Record<string, any>} props */
function field(label, props) {
  const id = `me-${props.name}`;
  const input = /** @type {HTMLInputElement} */ (h("input", { id, ...props }));
  return { input, row: h("div", { class: "field" }, h("label", { for: id, text: t(label) }), input) };
}

/** A small form. @param {string} title @param {string} button @param {{row: HTMLElement}[]} fields @param {() => Promise<unknown>} send @param {() => void} done */
const form = (title, button, fields, send, done) =>
  h(
    "form",
    {
      class: "card",
      on: {
        submit: async (/** @type {Event} */ e) => {
          e.preventDefault();
          if (await tried(send)) done();
        },
      },
    },
    h("h2", { text: t(title) }),
    fields.map((f) => f.row),
    h("div", { class: "line" }, h("button", { class: "btn sm", type: "submit", text: t(button) })),
  );

/** @param {any} me @param {() => void} again */
function nameCard(me, again) {
  const name = field("名字", { name: "name", value: me.name, required: true, maxlength: LIMITS.name, autocomplete: "nickname" });
  return form(
    "名字",
    "保存",
    [name],
    () => patch("/me", { name: name.input.value }),
    () => {
      toast(t("已保存"));
      again();
    },
  );
}

/** Twelve pictures to choose from; chosen with one tap, or with the arrow keys. @param {any} me */
function avatarCard(me) {
  const now = drawingOf(me.avatar);
  const choose = (/** @type {string} */ name) =>
    tried(async () => {
      keepUser(await patch("/me", { avatar: name }));
      toast(t("已保存"));
    });
  return h(
    "section",
    { class: "card", "aria-label": t("头像") },
    h("h2", { text: t("头像") }),
    h(
      "div",
      { class: "avatars", role: "radiogroup", "aria-label": t("头像") },
      Object.entries(AVATARS).map(([name, label]) =>
        h(
          "label",
          {},
          h("input", { type: "radio", name: "avatar", value: name, checked: name === now, on: { change: () => choose(name) } }),
          h("i", {}, portrait(name)),
          h("span", { text: t(label) }),
        ),
      ),
    ),
  );
}

/** The rules of a new password. */
const SECRET = { minlength: LIMITS.passwordLeast, maxlength: LIMITS.password, required: true };

/** A guest makes an account, or signs in to an existing one. @param {any} me @param {() => void} again */
function guestCard(me, again) {
  const fresh = {
    name: field("名字", { name: "new-name", value: me.name, required: true, maxlength: LIMITS.name, autocomplete: "username" }),
    password: field("密码", { name: "new-password", type: "password", ...SECRET, autocomplete: "new-password" }),
  };
  const old = {
    name: field("名字", { name: "old-name", required: true, maxlength: LIMITS.name, autocomplete: "username" }),
    password: field("密码", {
      name: "old-password",
      type: "password",
      required: true,
      maxlength: LIMITS.password,
      autocomplete: "current-password",
    }),
  };
  const done = (/** @type {string} */ text) => () => {
    toast(t(text));
    again();
  };
  return h(
    "div",
    { class: "two" },
    form(
      "升级为账号：换设备也能登录",
      "升级",
      [fresh.name, fresh.password],
      async () => keepUser(await post("/accounts", { name: fresh.name.input.value, password: fresh.password.input.value })),
      done("已升级为账号"),
    ),
    form(
      "登录已有账号",
      "登录",
      [old.name, old.password],
      () => signInAs({ name: old.name.input.value, password: old.password.input.value }),
      done("已登录"),
    ),
  );
}

/** @param {any} me */
function accountCard(me) {
  const old = field("旧密码", {
    name: "old",
    type: "password",
    required: true,
    maxlength: LIMITS.password,
    autocomplete: "current-password",
  });
  const next = field("新密码", { name: "next", type: "password", ...SECRET, autocomplete: "new-password" });
  const card = form(
    "账号",
    "改密码",
    [old, next],
    () => patch("/me", { old_password: old.input.value, password: next.input.value }),
    () => {
      toast(t("已保存"));
      old.input.value = next.input.value = "";
    },
  );
  card.append(h("button", { class: "btn sm quiet", type: "button", text: t("退出登录（{0}）", me.name), on: { click: leave } }));
  return card;
}

async function leave() {
  await signOut();
  location.hash = "#/";
}

/** @param {any[]} items @param {() => void} again */
function blocksCard(items, again) {
  return h(
    "section",
    { class: "card", "aria-label": t("黑名单") },
    h("h2", { text: t("黑名单") }),
    items.length
      ? h(
          "ul",
          { class: "rows" },
          items.map((o) =>
            h(
              "li",
              {},
              h("span", { class: "g" }, h("b", { text: o.name })),
              h("button", {
                class: "btn sm quiet",
                type: "button",
                text: t("移除"),
                on: { click: async () => (await tried(() => remove(`/me/blocks/${o.id}`))) && again() },
              }),
            ),
          ),
        )
      : h("p", { class: "none", text: t("没有。在牌桌菜单里可以拉黑。") }),
  );
}

/** @param {any} me */
function dataCard(me) {
  const takeAlong = () =>
    tried(async () => {
      const { data } = await get("/me/export");
      download("quezhuo.json", data);
    });
  const erase = async () => {
    const secret = me.registered ? { field: t("密码"), secret: true, needed: true, most: LIMITS.password } : {};
    const ask = t("删除「{0}」的全部资料？打过的局会留下，但不再有名字。", me.name);
    const said = await question(ask, { yes: t("删除"), ...secret });
    if (said === null) return;
    const proof = me.registered ? { password: said } : { device_token: session()?.device_token };
    if (await tried(() => remove("/me", proof))) leave();
  };
  return h(
    "section",
    { class: "card", "aria-label": t("我的资料") },
    h("h2", { text: t("我的资料") }),
    h(
      "div",
      { class: "line" },
      h("button", { class: "btn sm quiet", type: "button", text: t("下载"), on: { click: takeAlong } }),
      h("button", { class: "btn sm quiet", type: "button", text: t("删除账号"), on: { click: erase } }),
    ),
  );
}
