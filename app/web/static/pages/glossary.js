// @ts-check
/** The terms that stay: what is written on the table in Chinese, how it is said and what it means, for readers of English. */
import { allVariants } from "../api.js";
import { h } from "../dom.js";
import { t } from "../i18n.js";
import { termList } from "../terms.js";
import { GENERIC, knownFace } from "../variants/generic.js";
import { head } from "./history.js";

/** @param {HTMLElement} root */
export async function openGlossary(root) {
  const variants = await allVariants();
  const cards = [
    card(t("各种玩法都有"), GENERIC.glossary),
    ...variants.map((/** @type {any} */ v) =>
      knownFace(v.slug).glossary === GENERIC.glossary ? null : card(t(v.name_zh), knownFace(v.slug).glossary),
    ),
  ];
  root.replaceChildren(h("main", { class: "page" }, head(t("牌桌上的词")), cards.filter(Boolean)));
}

/** @param {string} title @param {import("../variants/generic.js").Term[]} terms */
const card = (title, terms) => h("section", { class: "card", "aria-label": title }, h("h2", { text: title }), termList(terms));
