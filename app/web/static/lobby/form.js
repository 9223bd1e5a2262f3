// @ts-check
/** A form made from an options schema (`Option` in `app/kernel/variant.py`); it knows no game. */
import { h } from "../dom.js";
import { lang, t } from "../i18n.js";

/** @typedef {{name: string, kind: "bool"|"int"|"choice", default: any, label_zh: string, label_en: string, low?: number, high?: number, choices?: any[], choice_labels?: string[], help_zh?: string}} Option */

/** @param {Option} o */
export const label = (o) => (lang === "en" ? o.label_en || o.label_zh : o.label_zh);

/** @param {Option} o @param {any} value @param {(value: any) => void} changed */
function field(o, value, changed) {
  if (o.kind === "bool") return toggle(o, value, changed);
  return o.kind === "choice" ? choice(o, value, changed) : step(o, value, changed);
}

/** @param {Option} o */
const help = (o) => (o.help_zh && lang !== "en" ? h("small", { class: "help", text: o.help_zh }) : null);

/** @param {Option} o @param {any} value @param {(value: any) => void} changed */
function toggle(o, value, changed) {
  const id = `f-${o.name}`;
  return h(
    "label",
    { class: "f sw", for: id },
    h("span", {}, label(o), help(o)),
    h("input", {
      type: "checkbox",
      role: "switch",
      id,
      name: o.name,
      checked: value,
      on: { change: (/** @type {any} */ e) => changed(e.target.checked) },
    }),
  );
}

/** @param {Option} o @param {any} value @param {(value: any) => void} changed */
function choice(o, value, changed) {
  const id = `f-${o.name}`;
  return h(
    "div",
    { class: "f ch", role: "radiogroup", "aria-labelledby": id },
    h("span", { id }, label(o), help(o)),
    h(
      "div",
      { class: "seg" },
      (o.choices ?? []).map((v, at) =>
        h(
          "label",
          {},
          h("input", { type: "radio", name: o.name, value: v, checked: v === value, on: { change: () => changed(v) } }),
          h("span", { text: t(o.choice_labels?.[at] ?? String(v)) }),
        ),
      ),
    ),
  );
}

/** @param {Option} o @param {any} value @param {(value: any) => void} changed */
function step(o, value, changed) {
  const id = `f-${o.name}`;
  const low = o.low ?? 0;
  const high = o.high ?? 100;
  const input = /** @type {HTMLInputElement} */ (
    h("input", { id, name: o.name, class: "num", inputmode: "numeric", value: String(value), "aria-describedby": `${id}-r` })
  );
  const set = (/** @type {number} */ n) => {
    const next = Math.max(low, Math.min(high, Number.isFinite(n) ? Math.round(n) : low));
    input.value = String(next);
    changed(next);
  };
  input.addEventListener("change", () => set(Number(input.value)));
  const big = high - low > 1000 ? 100 : 1;
  const button = (/** @type {number} */ by) =>
    h("button", {
      type: "button",
      class: "pm",
      "aria-label": `${label(o)} ${by > 0 ? "+" : "−"}${Math.abs(by)}`,
      text: by > 0 ? "+" : "−",
      on: { click: () => set(Number(input.value) + by) },
    });
  return h(
    "div",
    { class: "f step" },
    h("label", { for: id }, label(o), h("small", { class: "help num", id: `${id}-r`, text: `${low}–${high}` })),
    h("span", { class: "ctl" }, button(-big), input, button(big)),
  );
}

/**
 * Fields of a schema. Returns the element and its values, which hold only what the schema allows.
 * @param {Option[]} options @param {Record<string, any>} [preset]
 */
export function optionsForm(options, preset = {}) {
  const values = Object.fromEntries(options.map((o) => [o.name, preset[o.name] ?? o.default]));
  const element = h(
    "div",
    { class: "fields" },
    options.map((o) =>
      field(o, values[o.name], (v) => {
        values[o.name] = v;
      }),
    ),
  );
  return { element, values };
}
