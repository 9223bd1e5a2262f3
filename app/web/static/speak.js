// @ts-check
/** One polite live region, one quiet line of notice, and the one question box. Nothing flashes, nothing stacks. */
import { h } from "./dom.js";
import { t } from "./i18n.js";
import { LIMITS } from "./limits.js";

/** Announces an event to assistive technology. @param {string} text */
export function say(text) {
  const region = document.getElementById("say");
  if (region) region.textContent = text;
}

let timer = 0;

const SHOWN_MS = 3_500;
/** A line with something to press stays longer. */
const OFFERED_MS = 12_000;

/** Shows one line for a few seconds, with one thing to do about it if there is one. @param {string} text @param {{label: string, run: () => void}} [action] */
export function toast(text, action) {
  const gone = () => document.getElementById("toast")?.remove();
  const press = () => {
    gone();
    action?.run();
  };
  gone();
  document.body.append(
    h(
      "p",
      { id: "toast", class: "toast", role: "status" },
      h("span", { text }),
      action ? h("button", { class: "btn sm", type: "button", text: action.label, on: { click: press } }) : null,
    ),
  );
  if (action) addEventListener("hashchange", gone, { once: true });
  clearTimeout(timer);
  timer = setTimeout(gone, action ? OFFERED_MS : SHOWN_MS);
}

/** Puts a text on the clipboard; where that is not allowed it is shown instead. @param {string} text @param {string} done */
export async function copied(text, done) {
  try {
    await navigator.clipboard.writeText(text);
    toast(done);
  } catch {
    toast(text);
  }
}

/** From this limit on a field says how much room is left. */
const LONG = 100;

/** How many letters may still be typed: nothing is cut without a word. @param {HTMLInputElement} input @param {number} most */
function left(input, most) {
  const told = h("small", { class: "left num" });
  const tell = () => void (told.textContent = t("还可写 {0} 字", most - input.value.length));
  input.addEventListener("input", tell);
  tell();
  return told;
}

/**
 * Asks before something that cannot be taken back; with `field`, for a line of text as well. Null: no.
 * @param {string} question @param {{yes: string, field?: string, value?: string, needed?: boolean, most?: number, secret?: boolean}} how
 * @returns {Promise<string|null>} what was typed ("" without a field)
 */
export function question(question, { yes, field, value = "", needed = false, most = LIMITS.text, secret = false }) {
  return new Promise((resolve) => {
    const input = /** @type {HTMLInputElement|null} */ (
      field
        ? h("input", {
            type: secret ? "password" : "text",
            maxlength: most,
            value,
            required: needed,
            "aria-label": field,
            placeholder: field,
          })
        : null
    );
    const box = /** @type {HTMLDialogElement} */ (
      h(
        "dialog",
        { class: "question card", "aria-label": question },
        h(
          "form",
          { method: "dialog" },
          h("p", { text: question }),
          input,
          input && !secret && most >= LONG ? left(input, most) : null,
          h(
            "div",
            { class: "line" },
            h("button", { class: "btn sm quiet", type: "button", text: t("取消"), on: { click: () => box.close() } }),
            h("button", { class: "btn sm main", type: "submit", value: "yes", text: yes }),
          ),
        ),
      )
    );
    box.addEventListener("close", () => {
      box.remove();
      resolve(box.returnValue === "yes" ? (input?.value.trim() ?? "") : null);
    });
    document.body.append(box);
    box.showModal();
  });
}
