// @ts-check
/** "?" at the table: what I am asked, what each answer does and costs, what silence will do; why something is not offered. */
import { h } from "../dom.js";
import { t } from "../i18n.js";
import { openBook, overPage } from "../rulebook.js";
import { showRefusal } from "../refusals.js";
import { clauseChip, rulesOf, told } from "../rules.js";
import { split } from "../view.js";
import { face } from "./pieces.js";

/** @typedef {import("./pieces.js").Ctx} Ctx */

/** The key of an offer among the game's words. @param {any} action */
const offerKey = (action) => (typeof action.choice === "string" ? `${action.verb}.${action.choice}` : action.verb);

/** @param {any} table the screen */
export async function openHelp(table) {
  const { meta, ctx } = table;
  const { decision } = table.socket;
  try {
    const rules = await rulesOf(meta.slug);
    overPage(
      t("现在"),
      ctx && table.reasons ? reasons(ctx, meta.slug, rules, table.reasons.list) : null,
      decision ? question(meta.slug, rules, decision) : h("p", { class: "none", text: t("现在没有问你。") }),
      h("button", { class: "btn sm", type: "button", text: t("规则全文"), on: { click: () => openBook(meta.slug) } }),
    );
  } catch (error) {
    showRefusal(error);
  }
}

/** The reasons against what my tiles suggest. @param {Ctx} ctx @param {string} slug @param {import("../rules.js").Rules} rules @param {import("./why.js").Reason[]} list */
function reasons(ctx, slug, rules, list) {
  const one = (/** @type {import("./why.js").Reason} */ r) =>
    h(
      "li",
      {},
      h("b", { text: t("不能{0}", t(ctx.face.words[r.action.verb] ?? r.action.verb)) }),
      split(r.action.tiles)
        .slice(0, 1)
        .map((k) => face(ctx, k, { mark: null })),
      h("span", { text: rules.reasons[r.code] ? told(rules, rules.reasons[r.code]) : r.code }),
      clauseChip(slug, r.clause),
    );
  return h("section", { class: "reasons" }, h("h2", { text: t("为什么不能") }), h("ul", {}, list.map(one)));
}

/** Every kind of answer once, the one of silence marked. @param {string} slug @param {import("../rules.js").Rules} rules @param {any} decision */
function question(slug, rules, decision) {
  const silent = decision.silence ? offerKey(decision.silence) : null;
  const keys = [...new Set(/** @type {string[]} */ (decision.options.map(offerKey)))].filter((key) => rules.offers[key]);
  const one = (/** @type {string} */ key) => {
    const { does, costs, clause } = rules.offers[key];
    return h(
      "li",
      { "data-offer": key },
      h("b", { text: told(rules, does) }),
      key === silent ? h("span", { class: "chip hot", text: t("默认") }) : null,
      h("span", { text: told(rules, costs) }),
      clauseChip(slug, clause),
    );
  };
  const silence = rules.silence[decision.clock];
  return h(
    "section",
    { class: "offers" },
    h("h2", { text: t("现在问你") }),
    h("ul", {}, keys.map(one)),
    silence
      ? h("p", { class: "silence" }, h("b", { text: t("不答") }), " ", told(rules, silence.text), " ", clauseChip(slug, silence.clause))
      : null,
  );
}
