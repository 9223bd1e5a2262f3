// @ts-check
/** A list read page by page: waiting, empty, failed, more. The caller draws the rows. */
import { h } from "../dom.js";
import { t } from "../i18n.js";
import { refusalText } from "../refusals.js";

/** @typedef {import("../dom.js").Child} Child */

/** Reading goes on at the first thing of a new page that can be pressed. @param {Element[]} rows */
function focusFirst(rows) {
  const things = rows.flatMap((row) => (row.matches("a, button") ? [row] : [...row.querySelectorAll("a, button")]));
  /** @type {HTMLElement|undefined} */ (things[0])?.focus();
}

/** A list read to its end, for where all of it is needed at once. @param {(cursor: string) => Promise<{items: any[], cursor: string|null}>} read */
export async function readAll(read) {
  const all = [];
  for (let cursor = /** @type {string|null} */ (""); cursor !== null;) {
    const page = await read(cursor);
    all.push(...page.items);
    cursor = page.cursor;
  }
  return all;
}

/**
 * @template Item
 * @param {(cursor: string) => Promise<{items: Item[], cursor: string|null}>} read one page; the first has no cursor
 * @param {(item: Item, before: Item|null) => Child[]} row
 * @param {() => Child[]} none what stands there when there is nothing
 * @param {HTMLElement} [list] where the rows go, when they have a list of their own
 * @returns {{element: HTMLElement, start: () => Promise<void>}} `start` reads from the beginning, also again
 */
export function paged(read, row, none, list) {
  const element = h("div", { class: "rows-box" }, list);
  const box = list ?? element;
  let turn = 0;
  /** @type {Item|null} */
  let last = null;
  const put = (/** @type {Child[]} */ kids, /** @type {HTMLElement} */ place = element) =>
    place.append(.../** @type {(Node|string)[]} */ (kids.flat(3).filter((x) => x !== null && x !== undefined && x !== false)));
  async function load(/** @type {string} */ cursor) {
    const mine = ++turn;
    element.setAttribute("aria-busy", "true");
    const page = await read(cursor).catch((error) => ({ error }));
    if (mine !== turn) return;
    element.removeAttribute("aria-busy");
    const tail = element.querySelector(".tail");
    const asked = tail?.contains(document.activeElement) ?? false;
    tail?.remove();
    if ("error" in page) {
      if (!cursor) box.replaceChildren();
      return put([foot(h("p", { role: "alert", text: refusalText(page.error) }), t("重试"), cursor)]);
    }
    if (!cursor) {
      box.replaceChildren();
      last = null;
    }
    const from = box.children.length;
    for (const item of page.items) {
      put(row(item, last), box);
      last = item;
    }
    if (!box.children.length) put(none(), box);
    if (page.cursor) put([foot(null, t("更多"), page.cursor)]);
    if (asked) focusFirst([...box.children].slice(from));
  }
  /** @param {Child} text @param {string} label @param {string} cursor */
  const foot = (text, label, cursor) =>
    h(
      "div",
      { class: "tail" },
      text,
      h("button", { class: "btn sm quiet more", type: "button", text: label, on: { click: () => load(cursor) } }),
    );
  return { element, start: () => load("") };
}
