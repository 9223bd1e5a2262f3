// @ts-check
/** A rules page drawn: English digest, clauses by section, a search; over a table or as a page of its own. */
import { allVariants } from "./api.js";
import { h, icon } from "./dom.js";
import { lang, t } from "./i18n.js";
import { showRefusal } from "./refusals.js";
import { chinese, rulesOf } from "./rules.js";

/** @typedef {import("./rules.js").Rules} Rules */

const MARKED = /(`[^`]+`|\*\*[^*]+\*\*|\*[^*\s][^*]*\*)/;
/** A clause id in a digest. */
const CITED = /\b([A-Z]{2}-\d+\.\d+)\b/;

/** Text with `code`, *stress* and **names**. @param {string} text */
const inline = (text) =>
  text.split(MARKED).map((part) => {
    if (part.startsWith("`")) return h("code", { text: part.slice(1, -1) });
    if (part.startsWith("**")) return h("b", { text: part.slice(2, -2) });
    return part.startsWith("*") && part.length > 2 ? h("em", { text: part.slice(1, -1) }) : part;
  });

/** A table out of its Markdown lines. @param {string[]} lines */
function table(lines) {
  const rows = lines.map((line) => line.replace(/^\||\|$/g, "").split("|"));
  const row = (/** @type {string[]} */ cells, /** @type {string} */ tag) =>
    h(
      "tr",
      {},
      cells.map((cell) => h(tag, {}, inline(cell.trim()))),
    );
  const [first, , ...rest] = rows;
  const body = h(
    "tbody",
    {},
    rest.map((cells) => row(cells, "td")),
  );
  return h(
    "div",
    { class: "wide-table", tabindex: 0, role: "group", "aria-label": t("表") },
    h("table", {}, h("thead", {}, row(first, "th")), body),
  );
}

/** The lines of a block: tables, listings, paragraphs. @param {string} text */
function lines(text) {
  /** @type {HTMLElement[]} */
  const found = [];
  const left = text.split("\n");
  while (left.length) {
    const line = /** @type {string} */ (left.shift());
    if (line.startsWith("|")) {
      const rows = [line];
      while (left[0]?.startsWith("|")) rows.push(/** @type {string} */ (left.shift()));
      found.push(table(rows));
    } else if (line.startsWith("```")) {
      const listing = left.splice(
        0,
        left.findIndex((l) => l.startsWith("```")),
      );
      left.shift();
      found.push(h("pre", { tabindex: 0, text: listing.join("\n") }));
    } else found.push(h("p", {}, inline(line.replace(/^- /, "· "))));
  }
  return found;
}

/** @param {Rules} rules @param {{clause: string|null, text: string}} block */
const blockOf = (rules, block) =>
  h(
    "div",
    { class: "clause-text", "data-of": block.clause, tabindex: block.clause ? -1 : null },
    block.clause ? h("b", { class: "num", text: block.clause }) : null,
    h("div", {}, lines(chinese(rules, block.text))),
  );

/** The digest with its clauses to press. @param {Rules} rules @param {(clause: string) => void} go */
function digest(rules, go) {
  const items = rules.digest_en
    .replaceAll("\n  ", " ")
    .split("\n")
    .map((line) => line.replace(/^- /, ""));
  const cite = (/** @type {string} */ part) =>
    CITED.test(part) ? h("button", { class: "chip clause", type: "button", text: part, on: { click: () => go(part) } }) : part;
  return h(
    "section",
    { class: "digest", lang: "en", "aria-label": t("一页看懂") },
    h("h2", { text: t("一页看懂") }),
    h(
      "ul",
      {},
      items.map((line) => h("li", {}, line.split(CITED).map(cite))),
    ),
    h("p", { class: "none", text: t("规则全文是中文。") }),
  );
}

/** The whole book with its search, and how to go to a clause. @param {Rules} rules */
export function book(rules) {
  const sections = rules.sections.map((part) =>
    h(
      "section",
      {},
      h("h2", { text: chinese(rules, part.title) }),
      part.blocks.map((block) => blockOf(rules, block)),
    ),
  );
  const none = h("p", { class: "none", role: "status" });
  const field = /** @type {HTMLInputElement} */ (
    h("input", { type: "search", placeholder: t("搜规则或条款号"), "aria-label": t("搜规则或条款号"), on: { input: () => sift() } })
  );
  const text = h("div", { class: "clauses", lang: lang === "zh-Hant" ? "zh-Hant" : "zh" }, sections);
  const sift = () => {
    const wanted = field.value.trim().toLowerCase();
    let shown = 0;
    for (const section of sections) {
      const blocks = [.../** @type {NodeListOf<HTMLElement>} */ (section.querySelectorAll(".clause-text"))];
      for (const block of blocks) block.hidden = Boolean(wanted) && !block.textContent?.toLowerCase().includes(wanted);
      section.hidden = blocks.every((block) => block.hidden);
      shown += blocks.filter((block) => !block.hidden).length;
    }
    none.textContent = shown ? "" : t("没有找到");
  };
  const go = (/** @type {string} */ clause) => {
    field.value = "";
    sift();
    for (const old of text.querySelectorAll(".found")) old.classList.remove("found");
    const at = /** @type {HTMLElement|null} */ (text.querySelector(`[data-of="${CSS.escape(clause)}"]`));
    at?.classList.add("found");
    at?.scrollIntoView({ block: "center" });
    at?.focus({ preventScroll: true });
  };
  const english = lang === "en" && rules.digest_en ? digest(rules, go) : null;
  return { element: h("div", { class: "rulebook" }, field, none, english, text), go };
}

/** A dialog over whatever is on show, with its name and a way out. @param {string} label @param {(Node|null)[]} kids */
export function overPage(label, ...kids) {
  const shut = () => box.close();
  const box = /** @type {HTMLDialogElement} */ (
    h(
      "dialog",
      { class: "card rules-box", "aria-label": label },
      h(
        "header",
        {},
        h("h1", { text: label }),
        h("button", { class: "icon", type: "button", "aria-label": t("关闭"), on: { click: shut } }, icon("close")),
      ),
      kids,
    )
  );
  box.addEventListener("close", () => box.remove());
  box.addEventListener("click", (e) => e.target === box && shut());
  addEventListener("hashchange", shut, { once: true });
  document.body.append(box);
  box.showModal();
  return box;
}

/** The rules over the page, at a clause if one is named. @param {string} slug @param {string} [clause] */
export async function openBook(slug, clause) {
  try {
    const [rules, variants] = await Promise.all([rulesOf(slug), allVariants()]);
    const { element, go } = book(rules);
    const meta = variants.find((/** @type {any} */ v) => v.slug === slug);
    overPage(`${t(meta?.name_zh ?? slug)} · ${t("规则")}`, element);
    if (clause) go(clause);
  } catch (error) {
    showRefusal(error);
  }
}
