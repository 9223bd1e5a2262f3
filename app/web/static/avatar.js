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

/** The sign of a name where there is no picture: its first letter, of a Chinese name its last sign. @param {string} name */
export function initial(name) {
  const signs = [...name.trim()];
  return /\p{Script=Han}/u.test(signs[0] ?? "") ? (signs.at(-1) ?? "") : (signs[0] ?? "").toLocaleUpperCase();
}
