// @ts-check
/** The table's drawer: settings, autoplay, the last round, pause, dissolve, leave; the quick phrases; a seat's card. */
import { h, icon } from "../dom.js";
import { lang, t } from "../i18n.js";
import { lookRows } from "../look.js";
import { choose, settings } from "../settings.js";
import { question } from "../speak.js";
import { termList } from "../terms.js";
import { GENERIC } from "../variants/generic.js";
import { seatCard, toPerson } from "./person.js";
import { agreed } from "./waiting.js";

/** Phrases that are one sign: at hand beside my seat. */
const EMOTES = ["smile", "cry", "think", "clap"];

/** Quick phrases (快捷短语) by code; the server knows the codes only. @type {Record<string, string>} */
export const PHRASES = {
  hello: "大家好",
  hurry: "快点吧，等得花儿都谢了",
  nice: "打得漂亮",
  thanks: "谢谢",
  sorry: "不好意思",
  unlucky: "手气不好",
  again: "再来一局",
  bye: "先走了，下次再约",
  smile: "😄",
  cry: "😭",
  think: "🤔",
  clap: "👏",
};

/** @param {any} table the screen */
export function menu(table) {
  const body = h("div", { class: "drawer-body" });
  const element = h("aside", { class: "drawer", hidden: true, "aria-label": t("菜单") }, body);
  const row = (/** @type {string} */ label, /** @type {() => void} */ run, /** @type {any} */ ic) =>
    h(
      "button",
      {
        class: "item",
        type: "button",
        "data-item": label,
        on: {
          click: () => {
            hide();
            run();
          },
        },
      },
      icon(ic),
      h("span", { text: t(label) }),
    );
  const toggle = (/** @type {string} */ label, /** @type {"hints"|"askWild"|"audible"|"speech"} */ key) =>
    h(
      "label",
      { class: "item sw" },
      h("span", { text: t(label) }),
      h("input", {
        type: "checkbox",
        "data-set": key,
        role: "switch",
        checked: settings[key],
        on: {
          change: (/** @type {any} */ e) => {
            choose({ [key]: e.target.checked });
            table.schedule();
          },
        },
      }),
    );
  const scrim = h("div", { class: "scrim", hidden: true, "aria-hidden": "true", on: { click: () => hide() } });
  const hide = () => {
    element.hidden = scrim.hidden = true;
  };
  const dissolve = async () => {
    if ((await question(t("请大家投票解散这个房间？"), { yes: t("申请解散") })) !== null) table.ask("dissolve");
  };
  const leave = async () => {
    if (
      ["playing", "between"].includes(table.socket.match?.phase) &&
      (await question(t("离开后由托管打完这一局。确定离开？"), { yes: t("离开") })) === null
    )
      return;
    await Promise.race([table.ask("leave"), new Promise((wake) => setTimeout(wake, 1_500))]);
    location.hash = "#/";
  };
  const open = (/** @type {any[]} */ kids) => {
    body.replaceChildren(
      h("button", { class: "icon shut", type: "button", "aria-label": t("关闭"), on: { click: hide } }, icon("close")),
      ...kids.filter(Boolean),
    );
    element.hidden = scrim.hidden = false;
    /** @type {HTMLElement|null} */ (body.querySelector("button"))?.focus();
  };
  /** Emotes beside my seat: one tap each. On small screens a tap on my seat shows them. */
  const quick = h(
    "div",
    { class: "quick", role: "group", "aria-label": t("表情") },
    EMOTES.map((code) => {
      const send = () => {
        quick.classList.remove("on");
        table.ask("phrase", { code });
      };
      return h("button", { type: "button", "data-emote": code, text: PHRASES[code], on: { click: send } });
    }),
  );
  element.addEventListener("keydown", (e) => e.key === "Escape" && hide());
  return {
    element,
    scrim,
    quick,
    /** A tap on my own seat. */ mine: () => void quick.classList.toggle("on"),
    leave,
    toggle() {
      if (!element.hidden) return hide();
      const seated = table.seat !== null;
      const match = table.socket.match;
      const mine = seated ? match?.seats[table.seat] : null;
      open([
        seated ? row(mine?.autoplay ? "取消托管" : "托管", () => table.ask("autoplay", { on: !mine?.autoplay }), "clock") : null,
        seated
          ? h(
              "label",
              { class: "item sw" },
              h("span", { text: t("能胡就胡") }),
              h("input", {
                type: "checkbox",
                role: "switch",
                checked: table.socket.me?.auto_win,
                on: { change: (/** @type {any} */ e) => table.ask("auto_win", { on: e.target.checked }) },
              }),
            )
          : null,
        row("规则", async () => (await import("../rulebook.js")).openBook(table.meta.slug), "list"),
        table.lastRound ? row("看上一局", () => table.review(), "list") : null,
        row("外观", () => open(lookRows()), "eye"),
        toggle("听牌提示", "hints"),
        table.face.warnLabel ? toggle(table.face.warnLabel, "askWild") : null,
        toggle("声音", "audible"),
        settings.audible ? toggle("报牌（中文语音）", "speech") : null,
        seated
          ? row(
              paused(match, table.seat) ? "继续" : "暂停（全桌同意，下局前生效）",
              () => table.ask(paused(match, table.seat) ? "unpause" : "pause"),
              "stop",
            )
          : null,
        seated ? row("申请解散", dissolve, "off") : null,
        seated
          ? row("离开", leave, "door")
          : row(
              "回大厅",
              () => {
                location.hash = "#/";
              },
              "door",
            ),
        lang === "en" ? row("牌桌上的词", () => open(terms(table.face)), "list") : null,
        match ? h("p", { class: "agreed", text: `${t("本桌规则")}: ${agreed(table, match)}` }) : null,
        ...(match?.seats ?? []).map((/** @type {any} */ s, /** @type {number} */ at) =>
          s && !s.bot && at !== table.seat ? toPerson(table, s, hide) : null,
        ),
      ]);
    },
    async help() {
      (await import("./help.js")).openHelp(table);
    },
    /** A seat's melds and discards in a readable size, and the actions about its player. @param {number} seat */
    person(seat) {
      open(seatCard(table, seat, hide));
    },
    phrases() {
      if (!element.hidden) return hide();
      open(
        Object.entries(PHRASES).map(([code, text]) =>
          h("button", {
            class: "item",
            type: "button",
            "data-phrase": code,
            text: t(text),
            on: {
              click: () => {
                hide();
                table.ask("phrase", { code });
              },
            },
          }),
        ),
      );
    },
  };
}

/** The terms that stay Chinese, of this game and of all. @param {import("../variants/generic.js").Face} face */
const terms = (face) => [
  h("h2", { text: t("牌桌上的词") }),
  termList(face.glossary === GENERIC.glossary ? face.glossary : [...face.glossary, ...GENERIC.glossary]),
];

/** Have I agreed to a pause, or is it on? @param {any} match @param {number} seat */
const paused = (match, seat) => Boolean(match?.pause && (match.pause.on || match.pause.asked[seat]));
