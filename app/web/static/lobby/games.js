// @ts-check
/** How a game is shown where games are listed: a tile and one line; a game without them still has its name. */
import { tile } from "../tiles.js";

/** @type {Record<string, {face: string, mark?: string, wild?: boolean, tag: string}>} */
export const SHOW = {
  tianjin: { face: "5m", wild: true, tag: "混儿 · 只自摸 · 坐庄拉庄" },
  guizhou: { face: "1s", mark: "鸡", tag: "两门 72 张 · 豆与鸡" },
  tangshan: { face: "7z", mark: "喜", tag: "16 张 · 亮喜与扣" },
};

/** The game's tile, for decoration; `sprite()` first. @param {string} slug */
export function gameTile(slug) {
  const show = SHOW[slug];
  return show ? tile(show.face, { wild: show.wild, mark: show.mark, label: "" }) : null;
}
