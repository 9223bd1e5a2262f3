// @ts-check
/** A person's settings on this device. Kept in local storage; a few switches, no server side. */

const KEY = "quezhuo.settings";
const DEFAULTS = {
  lang: "",
  theme: "",
  mat: "pine",
  backs: "",
  size: "normal",
  hints: true,
  askWild: true,
  audible: true,
  volume: 0.8,
  speech: true,
  voicePack: "",
  vibrate: true,
  notify: false,
  named: false,
  muted: /** @type {string[]} */ ([]),
};

/** @returns {typeof DEFAULTS} */
function load() {
  try {
    return { ...DEFAULTS, ...JSON.parse(localStorage.getItem(KEY) ?? "{}") };
  } catch {
    return { ...DEFAULTS };
  }
}

export const settings = load();

/** @param {Partial<typeof DEFAULTS>} change */
export function choose(change) {
  Object.assign(settings, change);
  localStorage.setItem(KEY, JSON.stringify(settings));
}
