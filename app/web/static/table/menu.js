// @ts-check
/** The table's drawer: settings, autoplay, pause, dissolve, leave; and the quick phrases. */
import { post } from "../api.js";
import { h, icon } from "../dom.js";
import { t } from "../i18n.js";
import { choose, settings } from "../settings.js";
import { told } from "../refusals.js";
import { question, toast } from "../speak.js";

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
  const toggle = (/** @type {string} */ label, /** @type {"hints"|"askWild"|"sound"} */ key) =>
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
  const hide = () => {
    element.hidden = true;
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
    element.hidden = false;
    /** @type {HTMLElement|null} */ (body.querySelector("button"))?.focus();
  };
  element.addEventListener("keydown", (e) => e.key === "Escape" && hide());
  return {
    element,
    leave,
    phrase: (/** @type {string} */ code) => PHRASES[code] ?? "…",
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
        toggle("听牌提示", "hints"),
        toggle("打混儿前先问", "askWild"),
        toggle("声音", "sound"),
        seated
          ? row(
              paused(match, table.seat) ? "继续" : "暂停（全桌同意，下局前生效）",
              () => table.ask(paused(match, table.seat) ? "unpause" : "pause"),
              "stop",
            )
          : null,
        seated ? row("申请解散", () => table.ask("dissolve"), "off") : null,
        seated
          ? row("离开", leave, "door")
          : row(
              "回大厅",
              () => {
                location.hash = "#/";
              },
              "door",
            ),
        ...(match?.seats ?? []).map((/** @type {any} */ s, /** @type {number} */ at) =>
          !s || s.bot || at === table.seat
            ? null
            : h(
                "div",
                { class: "item person" },
                h("span", { text: s.name }),
                h("button", {
                  class: "btn sm quiet",
                  type: "button",
                  text: t(settings.muted.includes(s.user) ? "取消静音" : "静音"),
                  on: {
                    click: () => {
                      mute(s.user);
                      hide();
                    },
                  },
                }),
                h("button", {
                  class: "btn sm quiet",
                  type: "button",
                  text: t("拉黑"),
                  on: {
                    click: () => {
                      hide();
                      block(s);
                    },
                  },
                }),
                h("button", {
                  class: "btn sm quiet",
                  type: "button",
                  text: t("举报"),
                  on: {
                    click: () => {
                      hide();
                      report(s, table);
                    },
                  },
                }),
              ),
        ),
      ]);
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

/** Have I agreed to a pause, or is it on? @param {any} match @param {number} seat */
const paused = (match, seat) => Boolean(match?.pause && (match.pause.on || match.pause.asked[seat]));

/** Never again at one table by quick match, never in my rooms. @param {any} person */
async function block(person) {
  if ((await question(t("拉黑 {0}？快速开始不会再遇到，也不能进你开的房间。", person.name), { yes: t("拉黑") })) === null) return;
  await post("/me/blocks", { user: person.user }).then(() => toast(t("已拉黑")), told);
}

/** Tells the operators about somebody. @param {any} person @param {any} table */
async function report(person, table) {
  const text = await question(t("举报 {0}", person.name), { yes: t("举报"), field: t("发生了什么"), needed: true });
  if (text === null) return;
  await post("/me/reports", { user: person.user, reason: "other", text: `${table.socket.room?.id ?? ""} ${text}`.slice(0, 200) }).then(
    () => toast(t("已交给运营人员")),
    told,
  );
}

/** @param {string} user */
function mute(user) {
  const muted = settings.muted.includes(user) ? settings.muted.filter((u) => u !== user) : [...settings.muted, user];
  choose({ muted });
}
