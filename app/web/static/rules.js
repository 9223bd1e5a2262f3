// @ts-check
/**
 * The rules of a game and its words for people who learn it: fetched once, when somebody asks. Chips that open a clause
 * over whatever is on show. The drawing is in `rulebook.js`, loaded with the first look.
 */
import { get } from "./api.js";
import { h } from "./dom.js";
import { lang, t } from "./i18n.js";

/** @typedef {{zh: string, en: string}} Text */
/**
 * @typedef {{slug: string, digest_en: string, sections: {title: string, blocks: {clause: string|null, text: string}[]}[],
 *   reasons: Record<string, Text>, offers: Record<string, {does: Text, costs: Text, clause: string}>,
 *   silence: Record<string, {text: Text, clause: string}>, hant: Record<string, string>}} Rules
 */

/** @type {Map<string, Promise<Rules>>} */
const known = new Map();

/** The rules of a game; a failed request is forgotten. @param {string} slug @returns {Promise<Rules>} */
export function rulesOf(slug) {
  const found = known.get(slug) ?? fetched(slug);
  known.set(slug, found);
  found.catch(() => known.delete(slug));
  return found;
}

/** @param {string} slug @returns {Promise<Rules>} */
async function fetched(slug) {
  const [page, hant] = await Promise.all([get(`/variants/${encodeURIComponent(slug)}/rules`), traditional(slug)]);
  return { ...page, hant };
}

/** The 繁體 of a game's rules, where that is the language and there is one. @param {string} slug */
async function traditional(slug) {
  if (lang !== "zh-Hant") return {};
  const found = await fetch(new URL(`./lang/rules/${encodeURIComponent(slug)}.json`, import.meta.url));
  return found.ok ? found.json() : {};
}

/** A Chinese text of the rules as this page writes Chinese. @param {Rules} rules @param {string} text */
export const chinese = (rules, text) => rules.hant[text] ?? text;

/** A text in the page's language. @param {Rules} rules @param {Text} text */
export const told = (rules, text) => (lang === "en" ? text.en : chinese(rules, text.zh));

/** A chip that opens a clause over the page. @param {string} slug @param {string} clause */
export const clauseChip = (slug, clause) =>
  h("button", {
    class: "chip clause",
    type: "button",
    "data-clause": clause,
    text: `${t("条款")} ${clause}`,
    on: { click: async () => (await import("./rulebook.js")).openBook(slug, clause) },
  });
