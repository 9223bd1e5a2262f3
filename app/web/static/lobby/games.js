// @ts-check
/** The entry of a game in lists; `allVariants()` has loaded every game's face by then. */
import { tile } from "../tiles.js";
import { knownFace } from "../variants/generic.js";

/** The game's tile, for decoration; `sprite()` first. @param {string} slug */
export function gameTile(slug) {
  const { show, wildGlyph } = knownFace(slug);
  return show ? tile(show.tile, { wild: show.wild, mark: show.mark ?? (show.wild ? wildGlyph : null), label: "" }) : null;
}
