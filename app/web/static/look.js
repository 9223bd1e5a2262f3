// @ts-check
/**
 * The look that a player chose on this device: theme, mat, backs and size of the tiles. `themes.css` has the colours;
 * this puts the choices on the root element, where every page finds them.
 */
import { select } from "./dom.js";
import { t } from "./i18n.js";
import { choose, settings } from "./settings.js";

/** @typedef {"theme"|"mat"|"backs"|"size"} Part */

/** What can be chosen, and by which name. The first value of each is the usual one. @type {Record<Part, [string, string][]>} */
export const LOOKS = {
  theme: [
    ["", "跟随系统"],
    ["dark", "深色"],
    ["light", "浅色"],
  ],
  mat: [
    ["pine", "松绿"],
    ["indigo", "靛蓝"],
    ["mulberry", "桑紫"],
  ],
  backs: [
    ["", "随台布"],
    ["jade", "翠玉"],
    ["brick", "红砖"],
    ["indigo", "青花"],
    ["ink", "墨色"],
  ],
  size: [
    ["normal", "标准"],
    ["small", "小"],
    ["large", "大"],
  ],
};

/** @type {Record<Part, string>} */
const LABELS = { theme: "主题", mat: "台布", backs: "牌背", size: "牌的大小" };
/** Sizes as a factor of the usual one. A tile never outgrows the room that its place has. @type {Record<string, number>} */
const FACTOR = { small: 0.86, normal: 1, large: 1.18 };
/** The colour of the browser's own frame. */
const FRAME = { dark: "#0a2429", light: "#dfebe3" };

const bright = matchMedia("(prefers-color-scheme: light)");

/** Puts the chosen look on the page. */
export function wear() {
  const root = document.documentElement;
  const theme = settings.theme === "dark" || settings.theme === "light" ? settings.theme : bright.matches ? "light" : "dark";
  root.dataset.theme = theme;
  root.dataset.mat = settings.mat;
  root.dataset.back = settings.backs;
  root.style.setProperty("--size", String(FACTOR[settings.size] ?? 1));
  document.querySelector("meta[name=theme-color]")?.setAttribute("content", FRAME[theme]);
}

/** One choice of each kind, which holds at once. */
export const lookRows = () =>
  Object.entries(LOOKS).map(([part, values]) =>
    select(
      { "data-look": part },
      t(LABELS[/** @type {Part} */ (part)]),
      values.map(([value, text]) => [value, t(text)]),
      settings[/** @type {Part} */ (part)],
      (value) => {
        choose({ [part]: value });
        wear();
      },
    ),
  );

bright.addEventListener("change", wear);
wear();
