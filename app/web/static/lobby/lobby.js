// @ts-check
/** The lobby: back to a running table, three games one tap each, create, join by code, circles. */
import { portrait } from "../avatar.js";
import { allVariants, get, keepUser, patch, post, session, signIn, tableSettings, variantName } from "../api.js";
import { h, icon } from "../dom.js";
import { lang, otherLanguage, t } from "../i18n.js";
import { LIMITS } from "../limits.js";
import { showRefusal, tried } from "../refusals.js";
import { choose, settings } from "../settings.js";
import { sparrow, sprite } from "../tiles.js";
import { knownFace } from "../variants/generic.js";
import { circlesCard } from "./circle.js";
import { enter } from "./enter.js";
import { openLobbyFeed } from "./feed.js";
import { joinCard } from "./join.js";
import { optionsForm } from "./form.js";
import { gameTile } from "./games.js";
import { practice, waitingByGame } from "./search.js";

const TABS = /** @type {const} */ ([
  ["play", "快速开始", "play"],
  ["create", "创建房间", "plus"],
  ["join", "输入房号", "keys"],
  ["circles", "亲友圈", "users"],
]);

export function logo() {
  const s = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  s.setAttribute("viewBox", "0 6 72 84");
  s.setAttribute("aria-hidden", "true");
  s.append(...sparrow());
  return h("span", { class: "logo" }, s);
}

/** @param {HTMLElement} root */
export async function openLobby(root) {
  sprite();
  const [who, variants, table] = await Promise.all([signIn(), allVariants(), tableSettings()]);
  const page = h("main", { class: "lobby", "data-tab": "play" });
  const select = (/** @type {string} */ tab) => {
    page.dataset.tab = tab;
    for (const b of nav.children) b.toggleAttribute("aria-current", /** @type {HTMLElement} */ (b).dataset.k === tab);
  };
  const nav = h(
    "nav",
    { class: "tabs" },
    TABS.map(([k, label, ic]) =>
      h(
        "button",
        {
          "data-k": k,
          type: "button",
          on: {
            click: () => {
              select(k);
              scrollTo(0, 0);
            },
          },
        },
        icon(ic),
        h("span", { text: t(label) }),
      ),
    ),
  );
  const badge = h("span", { class: "lv", hidden: true });
  page.append(
    h(
      "header",
      {},
      logo(),
      h("h1", { text: t("雀桌") }),
      h(
        "a",
        { class: "meb", href: "#/me", "aria-label": t("我的") },
        h("i", { class: "face", "aria-hidden": "true" }, portrait(who.user.avatar)),
        badge,
        h("b", { text: who.user.name }),
        h("small", { text: t(who.user.registered ? "账号" : "游客") }),
      ),
      h("a", { class: "icon", href: "#/history", "aria-label": t("战绩") }, icon("list"), h("span", { class: "word", text: t("战绩") })),
      h("a", { class: "icon", href: "#/ladder", "aria-label": t("等级") }, icon("rank"), h("span", { class: "word", text: t("等级") })),
      h("button", {
        class: "icon",
        type: "button",
        lang: lang === "en" ? "zh" : "en",
        text: lang === "en" ? "中" : "EN",
        on: { click: otherLanguage },
      }),
    ),
    nameCard(who.user) ?? "",
    quickCard(variants),
    createCard(variants, table),
    joinCard(),
    circlesCard(),
    nav,
  );
  select("play");
  root.replaceChildren(page);
  resume(page, variants);
  level(badge, variants);
  const feed = openLobbyFeed({ lobby: true }, (rooms) => {
    const waits = waitingByGame(rooms);
    for (const line of page.querySelectorAll("[data-waits]")) {
      const count = waits[/** @type {HTMLElement} */ (line).dataset.waits ?? ""] ?? 0;
      line.textContent = count ? t("{0} 人在等", count) : "";
    }
  });
  return () => feed.close();
}

/** Asks a guest with a made-up name once for a name; playing does not wait for it. @param {any} user */
function nameCard(user) {
  if (user.registered || settings.named || !/^雀友\d{4}$/.test(user.name)) return null;
  const name = /** @type {HTMLInputElement} */ (
    h("input", {
      required: true,
      maxlength: LIMITS.name,
      autocomplete: "nickname",
      "aria-label": t("怎么称呼你？"),
      placeholder: t("怎么称呼你？"),
    })
  );
  const done = () => {
    choose({ named: true });
    card.remove();
  };
  const save = async (/** @type {Event} */ e) => {
    e.preventDefault();
    const saved = await tried(async () => keepUser(await patch("/me", { name: name.value })));
    if (!saved) return;
    const shown = document.querySelector(".lobby .meb b");
    if (shown) shown.textContent = session()?.user.name ?? name.value;
    done();
  };
  const card = h(
    "form",
    { class: "naming", on: { submit: save } },
    name,
    h("button", { class: "btn sm", type: "submit", text: t("好") }),
    h("button", { class: "icon", type: "button", "aria-label": t("以后再说"), on: { click: done } }, icon("close")),
  );
  return card;
}

/** Back to a running table: the only accent on the first screen. @param {HTMLElement} page @param {any[]} variants */
async function resume(page, variants) {
  const at = await get("/me/room").catch(() => null);
  const room = at?.room;
  if (!room) return;
  page
    .querySelector("header")
    ?.after(
      h(
        "a",
        { class: "resume", href: `#/table/${room.id}` },
        icon("clock"),
        h(
          "span",
          {},
          h("b", { text: t("一键进入正在打的牌局") }),
          h("small", { class: "num", text: `${t(variantName(variants, room.variant))} · ${t("房间")} ${room.code ?? ""}` }),
        ),
        h("span", { class: "go", text: "›" }),
      ),
    );
}

/** My level beside my name, in the first game that has a ladder. @param {HTMLElement} badge @param {any[]} variants */
async function level(badge, variants) {
  const ranked = variants.find((v) => v.ladder.length);
  const mine = ranked && (await get(`/ladder/${ranked.slug}/me`).catch(() => null));
  if (!mine) return;
  badge.textContent = t(mine.level_name);
  badge.hidden = false;
}

/** @param {any[]} variants */
function quickCard(variants) {
  const play = async (/** @type {string} */ path, /** @type {any} */ body) => {
    try {
      enter(await post(path, body));
    } catch (error) {
      showRefusal(error);
    }
  };
  return h(
    "section",
    { class: "card play", id: "play", "aria-label": t("快速开始") },
    h("h2", { text: t("快速开始") }),
    h(
      "ul",
      { class: "games" },
      variants.map((v) => {
        const { show } = knownFace(v.slug);
        return h(
          "li",
          {},
          h(
            "button",
            { class: "game", type: "button", "data-variant": v.slug, on: { click: () => play("/quick", { variant: v.slug }) } },
            gameTile(v.slug),
            h(
              "span",
              { class: "g" },
              h("b", { text: t(v.name_zh) }),
              show ? h("small", { text: t(show.tag) }) : null,
              h("small", { class: "num w" }, `${v.players.join(" / ")} ${t("人")}`, h("span", { class: "waits", "data-waits": v.slug })),
            ),
            h("span", { class: "go", text: t("开始") }),
          ),
        );
      }),
    ),
    h(
      "div",
      { class: "practice" },
      h("span", { text: t("与电脑练习") }),
      variants.map((v) =>
        h("button", {
          class: "btn sm quiet",
          type: "button",
          "data-practice": v.slug,
          text: t(v.name_zh.slice(0, 2)),
          on: { click: () => practise(v.slug) },
        }),
      ),
    ),
    h(
      "p",
      { class: "practice" },
      h("a", { class: "btn sm quiet", href: "#/rules", text: t("规则") }),
      lang === "en" ? h("a", { class: "btn sm quiet", href: "#/glossary", text: t("牌桌上的词") }) : null,
    ),
  );
}

/** A private room filled with bots, one tap. @param {string} variant */
async function practise(variant) {
  try {
    await practice(variant);
  } catch (error) {
    showRefusal(error);
  }
}

/** @param {any[]} variants @param {any[]} settings */
function createCard(variants, settings) {
  const card = h("section", { class: "card create", id: "create", "aria-label": t("创建房间") });
  const draw = (/** @type {any} */ chosen) => {
    const rules = optionsForm(chosen.options);
    const table = optionsForm(settings, { fill_with_bots: true });
    const make = async (/** @type {Event} */ e) => {
      e.preventDefault();
      if (!rules.sound() || !table.sound()) return;
      try {
        enter(await post("/rooms", { variant: chosen.slug, rules: rules.values, settings: table.values }));
      } catch (error) {
        showRefusal(error);
      }
    };
    card.replaceChildren(
      h("h2", { text: t("创建房间") }),
      h(
        "div",
        { class: "pickgame", role: "radiogroup", "aria-label": t("玩法") },
        variants.map((v) =>
          h("button", {
            role: "radio",
            type: "button",
            "aria-checked": String(v === chosen),
            text: t(v.name_zh),
            on: { click: () => draw(v) },
          }),
        ),
      ),
      h(
        "form",
        { on: { submit: make } },
        rules.element,
        h("details", { class: "more-options" }, h("summary", { text: t("桌设置") }), table.element),
        h(
          "div",
          { class: "end" },
          h("button", { type: "button", class: "btn sm quiet", text: t("恢复默认"), on: { click: () => draw(chosen) } }),
          h("button", { type: "submit", class: "btn main", text: t("创建") }),
        ),
      ),
    );
  };
  draw(variants[0]);
  return card;
}
