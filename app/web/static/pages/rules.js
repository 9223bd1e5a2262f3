// @ts-check
/** The rules of a game as a page: `#/rules/<game>[/<clause>]`; without a game, all of them to choose from. */
import { allVariants } from "../api.js";
import { h } from "../dom.js";
import { t } from "../i18n.js";
import { book } from "../rulebook.js";
import { rulesOf } from "../rules.js";
import { head } from "./history.js";

/** @param {HTMLElement} root @param {string} [slug] @param {string} [clause] */
export async function openRules(root, slug, clause) {
  const variants = await allVariants();
  const chosen = variants.find((/** @type {any} */ v) => v.slug === slug) ?? variants[0];
  const { element, go } = book(await rulesOf(chosen.slug));
  const tabs = h(
    "nav",
    { class: "tab-links", "aria-label": t("玩法") },
    variants.map((/** @type {any} */ v) =>
      h("a", { class: "tab-link", href: `#/rules/${v.slug}`, "aria-current": v === chosen ? "page" : null, text: t(v.name_zh) }),
    ),
  );
  root.replaceChildren(h("main", { class: "page" }, head(t("规则")), tabs, h("div", { class: "card" }, element)));
  if (clause) requestAnimationFrame(() => go(clause));
}
