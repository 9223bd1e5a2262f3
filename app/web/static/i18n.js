// @ts-check
/** Chinese first; 繁體 and English are dictionaries, never another layout. A missing key falls back to the Chinese text itself. */
import { choose, settings } from "./settings.js";

/** @typedef {"zh"|"zh-Hant"|"en"} Language */

/** Languages by their own names. @type {[Language, string][]} */
export const LANGUAGES = [
  ["zh", "简体中文"],
  ["zh-Hant", "繁體中文"],
  ["en", "English"],
];

/** @param {string|null|undefined} language @returns {Language|null} */
const known = (language) => LANGUAGES.find(([code]) => code === language)?.[0] ?? null;

/** Where Chinese is written in 繁體. */
const TRADITIONAL = /^zh-(hant|tw|hk|mo)/i;

/** Which of ours a browser's language is. @param {string} tag */
const ours = (tag) => (TRADITIONAL.test(tag) ? "zh-Hant" : known(tag.slice(0, 2).toLowerCase()));

/** The first of the browser's languages that there is here; for everybody else English. */
const browserLanguage = () => navigator.languages.map(ours).find(Boolean) ?? "en";

const asked = known(new URLSearchParams(location.search).get("lang"));
if (asked) choose({ lang: asked });

/** As chosen on this device, else the browser's language. @type {Language} */
export const lang = known(settings.lang) ?? browserLanguage();
document.documentElement.lang = lang === "zh" ? "zh-CN" : lang;

/** Dictionaries, each read only by those who need it. @type {Record<Language, () => Promise<Record<string, string>[]>>} */
const DICTIONARIES = {
  zh: async () => [],
  "zh-Hant": async () => [await (await fetch(new URL("./lang/hant.json", import.meta.url))).json()],
  en: () =>
    Promise.all([
      import("./lang/en.js").then((m) => m.EN),
      import("./lang/pages.js").then((m) => m.PAGES),
      import("./lang/told.js").then((m) => m.TOLD),
      import("./lang/names.js").then((m) => m.NAMES),
    ]),
};

/** @type {Record<string, string>} */
const words = Object.assign({}, ...(await DICTIONARIES[lang]()));

/** Adds the English of a game's own words. Existing entries stay. @param {Record<string, string>} [more] */
export function learn(more = {}) {
  if (lang === "en") for (const [text, english] of Object.entries(more)) words[text] ??= english;
}

/** The text in the chosen language; `{0}` … are filled in. @param {string} text @param {...(string|number)} parts */
export function t(text, ...parts) {
  const say = words[text] ?? text;
  return parts.length ? say.replace(/\{(\d)\}/g, (_all, at) => String(parts[Number(at)])) : say;
}

/** Changes the language of the whole page. @param {Language} language */
export function speakIn(language) {
  choose({ lang: language });
  const url = new URL(location.href);
  url.searchParams.delete("lang");
  if (url.href === location.href) location.reload();
  else location.replace(url);
}

/** From Chinese to English and back, to the Chinese that this browser asks for. */
export const otherLanguage = () =>
  speakIn(lang === "en" ? (navigator.languages.some((tag) => TRADITIONAL.test(tag)) ? "zh-Hant" : "zh") : "en");
