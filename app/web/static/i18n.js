// @ts-check
/** Chinese first; English is a dictionary, never a second layout. A missing key falls back to the Chinese text itself. */
import { choose, settings } from "./settings.js";

/** @typedef {"zh"|"en"} Language */

const asked = new URLSearchParams(location.search).get("lang");
if (asked === "en" || asked === "zh") choose({ lang: asked });

/** The first of the browser's languages that there is here; for everybody else English. @returns {Language} */
function browserLanguage() {
  const known = navigator.languages.map((tag) => tag.slice(0, 2).toLowerCase()).find((tag) => tag === "zh" || tag === "en");
  return /** @type {Language} */ (known ?? "en");
}

/** As chosen on this device, else as the browser says. @type {Language} */
export const lang = settings.lang === "en" || settings.lang === "zh" ? settings.lang : browserLanguage();
document.documentElement.lang = lang === "en" ? "en" : "zh-CN";

/** The dictionaries, read only by those who need them. @type {Record<string, string>} */
const words =
  lang === "en"
    ? Object.assign(
        {},
        ...(await Promise.all([
          import("./lang/en.js").then((m) => m.EN),
          import("./lang/pages.js").then((m) => m.PAGES),
          import("./lang/names.js").then((m) => m.NAMES),
        ])),
      )
    : {};

/** More English: what a game brings for its own words. What is there already stays. @param {Record<string, string>} [more] */
export function learn(more = {}) {
  if (lang === "en") for (const [text, english] of Object.entries(more)) words[text] ??= english;
}

/** The text in the chosen language; `{0}` … are filled in. @param {string} text @param {...(string|number)} parts */
export function t(text, ...parts) {
  const say = words[text] ?? text;
  return parts.length ? say.replace(/\{(\d)\}/g, (_all, at) => String(parts[Number(at)])) : say;
}

/** Languages by their own names. @type {[Language, string][]} */
export const LANGUAGES = [
  ["zh", "简体中文"],
  ["en", "English"],
];

/** Changes the language of the whole page. @param {Language} language */
export function speakIn(language) {
  choose({ lang: language });
  const url = new URL(location.href);
  url.searchParams.delete("lang");
  if (url.href === location.href) location.reload();
  else location.replace(url);
}

/** From Chinese to English and back. */
export const otherLanguage = () => speakIn(lang === "en" ? "zh" : "en");
