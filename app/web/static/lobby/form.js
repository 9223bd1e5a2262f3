// @ts-check
/** A form made from an options schema (`Option` in `app/kernel/variant.py`); it knows no game. */
import { grouped, h } from "../dom.js";
import { lang, t } from "../i18n.js";

/** @typedef {{name: string, kind: "bool"|"int"|"choice", default: any, label_zh: string, label_en: string, low?: number, high?: number, choices?: any[], choice_labels?: string[], help_zh?: string, help_en?: string}} Option */

/** @param {Option} o */
export const label = (o) => (lang === "en" ? o.label_en || o.label_zh : t(o.label_zh));

/** @param {Option} o @param {any} value @param {(value: any) => void} changed */
function field(o, value, changed) {
  if (o.kind === "bool") return toggle(o, value, changed);
  return o.kind === "choice" ? choice(o, value, changed) : step(o, value, changed);
}

/** @param {Option} o */
const help = (o) => (lang === "en" ? o.help_en : t(o.help_zh ?? "")) ?? "";

/** @param {Option} o @param {string} [more] */
const helpLine = (o, more = "") => {
  const text = [help(o).replace(/[。.]$/, ""), more].filter(Boolean).join(" · ");
  return text ? h("small", { class: "help num", id: `f-${o.name}-r`, text }) : null;
};

/** Room for the message about a field. @param {Option} o */
const wrongLine = (o) => h("small", { class: "wrong", role: "alert", "data-wrong": o.name, hidden: true });

/** @param {HTMLElement} element @param {string} name @param {string} text empty: nothing is wrong */
function complain(element, name, text) {
  const line = /** @type {HTMLElement} */ (element.querySelector(`[data-wrong="${name}"]`));
  line.hidden = !text;
  line.textContent = text;
  return line;
}

/** Settings that make no sense together: the field that is named, when, and what is said. @type {[string, (v: Record<string, any>, circle: boolean) => boolean, string][]} */
const CLASHES = [
  ["claim_hold_ms", (v) => v.claim_hold_ms >= 1000 * v.claim_s, "停顿要比吃碰杠胡的时间短"],
  ["spectators", (v, circle) => v.spectators === "members" && !circle, "只有亲友圈的房间才有成员"],
];

/** @param {Option} o @param {any} value @param {(value: any) => void} changed */
function toggle(o, value, changed) {
  const id = `f-${o.name}`;
  return h(
    "label",
    { class: "f sw", for: id },
    h("span", {}, label(o), helpLine(o), wrongLine(o)),
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
    h("span", { id, text: label(o) }),
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
    helpLine(o),
    wrongLine(o),
  );
}

/** @param {Option} o @param {any} value @param {(value: any) => void} changed */
function step(o, value, changed) {
  const id = `f-${o.name}`;
  const low = o.low ?? 0;
  const high = o.high ?? 100;
  const range = `${grouped(low)}–${grouped(high)}`;
  const input = /** @type {HTMLInputElement} */ (
    h("input", {
      id,
      name: o.name,
      class: "num",
      inputmode: "numeric",
      autocomplete: "off",
      value: String(value),
      "aria-describedby": `${id}-r`,
    })
  );
  const set = (/** @type {number} */ n) => {
    const next = Number.isFinite(n) ? Math.max(low, Math.min(high, Math.round(n))) : Number(input.defaultValue);
    input.value = input.defaultValue = String(next);
    changed(next);
    return next;
  };
  input.addEventListener("change", () => {
    const typed = input.value.trim() === "" ? NaN : Number(input.value);
    const kept = set(typed);
    complain(row, o.name, typed === kept ? "" : t("只能是 {0}", range));
  });
  const big = high - low > 1000 ? 100 : 1;
  const button = (/** @type {number} */ by) =>
    h("button", {
      type: "button",
      class: "pm",
      "aria-label": `${label(o)} ${by > 0 ? "+" : "−"}${Math.abs(by)}`,
      text: by > 0 ? "+" : "−",
      on: {
        click: () => {
          set(Number(input.value) + by);
          complain(row, o.name, "");
        },
      },
    });
  const row = h(
    "div",
    { class: "f step" },
    h("label", { for: id, text: label(o) }),
    h("span", { class: "ctl" }, button(-big), input, button(big)),
    helpLine(o, range),
    wrongLine(o),
  );
  return row;
}

/**
 * Fields of a schema. Returns the element, its values, which hold only what the schema allows, and `sound`: true when they
 * go together, else the first clash is shown at its field.
 * @param {Option[]} options @param {Record<string, any>} [preset] @param {boolean} [circle] is it for a circle's rooms?
 */
export function optionsForm(options, preset = {}, circle = false) {
  const values = Object.fromEntries(options.map((o) => [o.name, preset[o.name] ?? o.default]));
  const mine = CLASHES.filter(([name]) => name in values);
  const element = h(
    "div",
    { class: "fields" },
    options.map((o) =>
      field(o, values[o.name], (v) => {
        values[o.name] = v;
        for (const [name, clashes] of mine) if (!clashes(values, circle)) complain(element, name, "");
      }),
    ),
  );
  const sound = () => {
    const clash = mine.find(([, clashes]) => clashes(values, circle));
    if (!clash) return true;
    element.closest("details")?.setAttribute("open", "");
    complain(element, clash[0], t(clash[2]));
    const at = /** @type {HTMLElement|null} */ (element.querySelector(`[name="${clash[0]}"]`));
    at?.focus();
    at?.scrollIntoView({ block: "center" });
    return false;
  };
  return { element, values, sound };
}
