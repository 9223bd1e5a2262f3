// @ts-check
/** A list read page by page: waiting, empty, failed, more. What a row looks like is its caller's business. */
import { h } from "../dom.js";
import { t } from "../i18n.js";
import { refusalText } from "../refusals.js";

/** @typedef {import("../dom.js").Child} Child */

/**
 * @template Item
 * @param {(cursor: string) => Promise<{items: Item[], cursor: string|null}>} read one page; the first has no cursor
 * @param {(item: Item, before: Item|null) => Child[]} row
 * @param {() => Child[]} none what stands there when there is nothing
 * @returns {{element: HTMLElement, start: () => Promise<void>}} `start` reads from the beginning, also again
 */
export function paged(read, row, none) {
  const element = h("div", { class: "rows-box" });
  let turn = 0;
  /** @type {Item|null} */
  let last = null;
  const put = (/** @type {Child[]} */ kids) =>
    element.append(.../** @type {(Node|string)[]} */ (kids.flat(3).filter((x) => x !== null && x !== undefined && x !== false)));
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
      if (!cursor) element.replaceChildren();
      return put([foot(h("p", { role: "alert", text: refusalText(page.error) }), t("重试"), cursor)]);
    }
    if (!cursor) {
      element.replaceChildren();
      last = null;
    }
    const from = element.children.length;
    for (const item of page.items) {
      put(row(item, last));
      last = item;
    }
    if (!element.children.length) put(none());
    if (page.cursor) put([foot(null, t("更多"), page.cursor)]);
    if (asked) /** @type {HTMLElement|undefined} */ ([...element.children].slice(from).find((e) => e.matches("a, button")))?.focus();
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
