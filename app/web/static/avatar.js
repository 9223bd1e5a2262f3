// @ts-check
/**
 * The picture of a person: one of twelve drawings (`avatars/*.svg`). A player who chose none gets one by their avatar
 * seed, the same on every device. A picture is decoration: the name always stands beside it.
 */
import { h } from "./dom.js";

/** Drawing → its Chinese name, in the order in which they are offered. @type {Record<string, string>} */
export const AVATARS = {
  sparrow: "麻雀",
  carp: "年画鲤鱼",
  doll: "泥人",
  kite: "沙燕风筝",
  bun: "包子",
  rooster: "大红冠",
  horn: "苗银牛角",
  batik: "蜡染蝴蝶",
  monkey: "金丝猴",
  shadow: "皮影",
  vase: "唐山瓷",
  chestnut: "板栗",
};

const NAMES = Object.keys(AVATARS);

/** The drawing of a seed: the chosen one, else one by a digest of the seed. @param {string} seed */
export function drawingOf(seed) {
  if (seed in AVATARS) return seed;
  let digest = 7;
  for (const letter of seed) digest = (Math.imul(digest, 31) + (letter.codePointAt(0) ?? 0)) >>> 0;
  return NAMES[digest % NAMES.length];
}

/** A person's picture; it takes the size of its place. @param {string} seed @param {string} [kind] a class beside `portrait` */
export const portrait = (seed, kind = "") =>
  h("img", {
    class: `portrait ${kind}`.trim(),
    src: new URL(`./avatars/${drawingOf(seed)}.svg`, import.meta.url).href,
    alt: "",
    decoding: "async",
    draggable: "false",
  });

/** Frames by level: bamboo, bronze, silver, jade; the number of studs tells them apart without colour. @type {[number, string, number][]} */
const FRAMES = [
  [14, "jade", 5],
  [10, "silver", 3],
  [5, "bronze", 1],
  [1, "bamboo", 0],
];
const NS = "http://www.w3.org/2000/svg";
const STUD_DEGREES = 24;

/** The frame of a level (等级) around a portrait; null: a game without levels. @param {number|null} level */
export function levelFrame(level) {
  const found = level === null ? undefined : FRAMES.find(([from]) => level >= from);
  if (!found) return null;
  const [, kind, studs] = found;
  const s = document.createElementNS(NS, "svg");
  s.setAttribute("class", `frame ${kind}`);
  s.setAttribute("viewBox", "0 0 48 48");
  s.setAttribute("aria-hidden", "true");
  const part = (/** @type {string} */ name, /** @type {Record<string, string|number>} */ attrs) => {
    const e = document.createElementNS(NS, name);
    for (const key in attrs) e.setAttribute(key, String(attrs[key]));
    s.append(e);
  };
  part("circle", { cx: 24, cy: 24, r: 22 });
  for (let at = 0; at < studs; at += 1) {
    const turn = (at - (studs - 1) / 2) * STUD_DEGREES;
    part("path", { d: "M24 48l-3.6-3.6 3.6-3.6 3.6 3.6z", transform: `rotate(${turn} 24 24)` });
  }
  return s;
}

/** The sign of a name where there is no picture: its first letter, of a Chinese name its last sign. @param {string} name */
export function initial(name) {
  const signs = [...name.trim()];
  return /\p{Script=Han}/u.test(signs[0] ?? "") ? (signs.at(-1) ?? "") : (signs[0] ?? "").toLocaleUpperCase();
}
