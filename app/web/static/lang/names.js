// @ts-check
/** English of the choices of a table's settings; a game brings the English of its own names in its META. */

/** @type {Record<string, string>} */
export const NAMES = {
  不允许: "Off",
  仅成员: "Members",
  所有人: "All",
};
