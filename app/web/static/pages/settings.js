// @ts-check
/** Settings of this device: look, hints, sound, voice, notices, language. */
import { allowNotices } from "../attention.js";
import { h, select } from "../dom.js";
import { lang, LANGUAGES, speakIn, t } from "../i18n.js";
import { lookRows } from "../look.js";
import { choose, settings } from "../settings.js";
import { setPack, setVolume, voicePacks } from "../sound.js";
import { toast } from "../speak.js";
import { warnings } from "../variants/generic.js";

/** @typedef {"hints"|"askWild"|"audible"|"speech"|"vibrate"|"notify"} Switch */

/** @param {string} label @param {Switch} key @param {(on: boolean, input: HTMLInputElement) => void} [run] instead of keeping it */
function toggle(label, key, run) {
  const input = /** @type {HTMLInputElement} */ (
    h("input", {
      type: "checkbox",
      role: "switch",
      "data-set": key,
      checked: settings[key],
      on: { change: () => (run ? run(input.checked, input) : choose({ [key]: input.checked })) },
    })
  );
  return h("label", { class: "line spread sw" }, h("span", { text: t(label) }), input);
}

function volume() {
  const id = "me-volume";
  return h(
    "div",
    { class: "line spread" },
    h("label", { for: id, text: t("音量") }),
    h("input", {
      id,
      type: "range",
      min: 0,
      max: 100,
      step: 5,
      value: Math.round(100 * settings.volume),
      on: { change: (/** @type {any} */ e) => setVolume(Number(e.target.value) / 100) },
    }),
  );
}

/** Which voice speaks, where this server has packs. */
function voice() {
  const place = h("div", { hidden: true });
  voicePacks().then((/** @type {{slug: string, name: string}[]} */ packs) => {
    if (!packs.length) return;
    const all = /** @type {[string, string][]} */ ([["", t("手机自带")], ...packs.map((pack) => [pack.slug, pack.name])]);
    place.replaceChildren(select({}, t("报牌声音"), all, settings.voicePack, setPack));
    place.hidden = false;
  });
  return place;
}

/** The browser is asked; after a refusal the switch goes back and names the place to allow it. @param {boolean} on
 * @param {HTMLInputElement} input */
async function notices(on, input) {
  input.checked = await allowNotices(on);
  if (on && !input.checked) toast(t("浏览器没有允许通知，请在它的网站设置里打开"));
}

export function settingsCard() {
  return h(
    "section",
    { class: "card", "aria-label": t("设置") },
    h("h2", { text: t("设置") }),
    ...lookRows(),
    toggle("听牌提示", "hints"),
    ...warnings().map((label) => toggle(label, "askWild")),
    toggle("声音", "audible"),
    volume(),
    toggle("报牌（中文语音）", "speech"),
    voice(),
    "vibrate" in navigator ? toggle("轮到我时震动", "vibrate") : null,
    "Notification" in globalThis ? toggle("在后台时通知我", "notify", notices) : null,
    select({}, t("语言"), LANGUAGES, lang, (value) => speakIn(/** @type {import("../i18n.js").Language} */ (value))),
  );
}
