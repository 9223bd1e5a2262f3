// @ts-check
/** Small element builders. Styles go through CSSOM, never through attributes, so a strict CSP holds. No state here. */

/** @typedef {Node|string|null|undefined|false|(Node|string|null|undefined|false)[]} Child */

/**
 * Builds an element. Props: `text`, `css` (custom properties), `on` (listeners); null and false are left out.
 * @param {string} tag @param {Record<string, any>} [props] @param {...Child} kids @returns {HTMLElement}
 */
export function h(tag, props = {}, ...kids) {
  const e = document.createElement(tag);
  for (const [k, v] of Object.entries(props)) {
    if (v === null || v === undefined || v === false) continue;
    if (k === "css") for (const c in v) e.style.setProperty(c, v[c]);
    else if (k === "on") for (const n in v) e.addEventListener(n, v[n]);
    else if (k === "text") e.textContent = v;
    else if (k === "value" && "value" in e) e.value = v;
    else e.setAttribute(k, v === true ? "" : String(v));
  }
  e.append(.../** @type {(Node|string)[]} */ (kids.flat().filter((x) => x !== null && x !== undefined && x !== false)));
  return e;
}

const PATHS = {
  menu: "M4 7h16M4 12h16M4 17h16",
  gear: "M4 8h9M17 8h3M4 16h3M11 16h9M13 8a2 2 0 1 0 4 0 2 2 0 1 0-4 0M7 16a2 2 0 1 0 4 0 2 2 0 1 0-4 0",
  off: "M3 3l18 18M8.5 15.5a5 5 0 0 1 7 0M5 12a10 10 0 0 1 4-2.6M19 12a10 10 0 0 0-4.5-2.7M12 19h.01",
  back: "M15 5l-7 7 7 7",
  del: "M20 6H9l-6 6 6 6h11zM12 10l4 4M16 10l-4 4",
  plus: "M12 5v14M5 12h14",
  play: "M8 5l11 7-11 7z",
  stop: "M8 6v12M16 6v12",
  clock: "M12 7v5l3 2M3 12a9 9 0 1 0 18 0 9 9 0 1 0-18 0",
  share: "M12 15V4M8 8l4-4 4 4M5 13v6h14v-6",
  users: "M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7M2 20c0-4 3-6 7-6s7 2 7 6M16 4.5a3.5 3.5 0 0 1 0 6.5M18 14.5c2.500.8 4 2.700 4 5.500",
  chat: "M4 5h16v11H9l-5 4z",
  door: "M14 4h5v16h-5M10 8l-4 4 4 4M6 12h9",
  close: "M6 6l12 12M18 6L6 18",
  list: "M8 6h12M8 12h12M8 18h12M4 6h.01M4 12h.01M4 18h.01",
  check: "M4 12.5l5.500 5.500L20 7",
  eye: "M2 12c3-5 6.500-7 10-7s7 2 10 7c-3 5-6.500 7-10 7s-7-2-10-7M9 12a3 3 0 1 0 6 0 3 3 0 1 0-6 0",
  rank: "M5 20v-7M12 20V5M19 20v-10",
  keys: "M6 6h.01M12 6h.01M18 6h.01M6 12h.01M12 12h.01M18 12h.01M6 18h.01M12 18h.01M18 18h.01",
};

/** A line icon, hidden from assistive technology: its button carries the name. @param {keyof typeof PATHS} name */
export function icon(name) {
  const ns = "http://www.w3.org/2000/svg";
  const s = document.createElementNS(ns, "svg");
  const p = document.createElementNS(ns, "path");
  s.setAttribute("viewBox", "0 0 24 24");
  s.setAttribute("aria-hidden", "true");
  s.setAttribute("class", "ic");
  p.setAttribute("d", PATHS[name]);
  s.append(p);
  return s;
}

/**
 * A choice among named values. @param {Record<string, any>} props of the `select` @param {string} label
 * @param {[string, string][]} values value and text @param {string} value @param {(value: string) => void} changed
 */
export const select = (props, label, values, value, changed) =>
  h(
    "label",
    { class: "line spread" },
    h("span", { text: label }),
    h(
      "select",
      { class: "short", ...props, on: { change: (/** @type {any} */ e) => changed(e.target.value) } },
      values.map(([v, text]) => h("option", { value: v, lang: /\p{Script=Han}/u.test(text) ? "zh" : null, text, selected: v === value })),
    ),
  );

/** A number with a sign and a real minus. @param {number} n */
export const signed = (n) => (n > 0 ? "+" : n < 0 ? "−" : "") + Math.abs(n);

/** A number with its thousands apart. @param {number} n */
export const grouped = (n) => n.toLocaleString("en-US").replace("-", "−");

/** A number with a real minus. @param {number} n */
export const number = (n) => String(n).replace("-", "−");

/**
 * Replaces the children of a slot only when its content has changed: a discard redraws one river, not the table.
 * @param {HTMLElement} slot @param {unknown} key anything JSON can write @param {() => Child[]} build
 */
export function redraw(slot, key, build) {
  const text = JSON.stringify(key);
  if (slot.dataset.key === text) return false;
  slot.dataset.key = text;
  slot.replaceChildren(
    .../** @type {(Node|string)[]} */ (
      build()
        .flat()
        .filter((x) => x !== null && x !== undefined && x !== false)
    ),
  );
  return true;
}
