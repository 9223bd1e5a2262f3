// @ts-check
/** Operators' calls to the server: their token, and orders, each with a reason. */
import { callAs } from "../api.js";
import { h } from "../dom.js";
import { t } from "../i18n.js";
import { tried } from "../refusals.js";
import { question, toast } from "../speak.js";

/** Key of the operator's token, kept until the tab is closed. */
export const KEY = "quezhuo.operator";

/** @param {string} method @param {string} path @param {any} [body] */
export const ask = (method, path, body) => callAs(sessionStorage.getItem(KEY) ?? "", method, `/admin${path}`, body);
export const get = (/** @type {string} */ path) => ask("GET", path);

/** An order that needs a reason; the list is drawn again after it. @param {string} text @param {string} yes @param {(reason: string) => Promise<any>} send @param {() => void} draw */
export async function withReason(text, yes, send, draw) {
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
export const small = (label, run, name) =>
  h("button", { class: "btn sm quiet", type: "button", "data-do": name, text: t(label), on: { click: run } });
