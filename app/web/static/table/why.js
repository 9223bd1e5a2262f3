// @ts-check
/**
 * Why not: when my own tiles suggest something that I am not offered, the server is asked for the reason, and "?" lights up.
 * The look at the tiles only decides whether to ask; nothing is judged here.
 */
import { t } from "../i18n.js";
import { split } from "../view.js";

/** @typedef {import("./pieces.js").Ctx} Ctx */
/** @typedef {{action: any, code: string, clause: string}} Reason */

/** Can the tiles be sets, and one pair where their number asks for it? `spare`: wild tiles. @param {string[]} tiles sorted, none wild @param {number} spare @returns {boolean} */
export function whole(tiles, spare) {
  return (tiles.length + spare) % 3 !== 1 && fits(tiles, spare, (tiles.length + spare) % 3 === 2);
}

/** @param {string[]} tiles @param {number} spare @param {boolean} pair @returns {boolean} */
function fits(tiles, spare, pair) {
  if (!tiles.length) return true;
  const kind = tiles[0];
  const rank = Math.min(Number(kind[0]), 7);
  const run = kind[1] === "z" ? [] : [0, 1, 2].map((step) => `${rank + step}${kind[1]}`);
  return [[kind, kind, kind], run, pair ? [kind, kind] : []].some((group) => {
    if (!group.length) return false;
    const rest = [...tiles];
    let missing = 0;
    for (const tile of group) {
      const at = rest.indexOf(tile);
      if (at < 0) missing += 1;
      else rest.splice(at, 1);
    }
    return missing <= spare && fits(rest, spare - missing, pair && group.length === 3);
  });
}

/** Do these concealed tiles look like a win? @param {string[]} tiles @param {string[]} wilds */
function looksWhole(tiles, wilds) {
  const plain = tiles.filter((k) => !wilds.includes(k)).sort((a, b) => a[1].localeCompare(b[1]) || Number(a[0]) - Number(b[0]));
  return whole(plain, tiles.length - plain.length);
}

/** Does something of mine suggest an action that I am not offered? @param {Ctx} ctx @param {any} decision @param {any[]} hints my waits as the server gave them */
export function suggests({ view, me, wilds }, decision, hints) {
  const own = view.seats[me];
  if (!own.hand || view.phase !== "turn") return false;
  const offered = new Set((decision?.options ?? []).map((/** @type {any} */ o) => o.verb));
  const tiles = split(own.hand);
  const count = (/** @type {string} */ kind) => tiles.filter((k) => k === kind).length;
  if (view.last && view.last[0] !== me) {
    const kind = view.last[1];
    const waited = hints.some((x) => x.discard === null && x.waits.some((/** @type {any} */ w) => w.tile === kind));
    const [win, pong, kong] = [waited || looksWhole([...tiles, kind], wilds), count(kind) > 1, count(kind) > 2];
    return (win && !offered.has("win")) || (pong && !offered.has("pong")) || (kong && !offered.has("kong"));
  }
  if (!decision || view.turn !== me || view.last || view.laid) return false;
  const four = tiles.some((k) => count(k) === 4);
  const added = own.melds.some((m) => m.kind === "pong" && tiles.includes(split(m.tiles)[0]));
  return (looksWhole(tiles, wilds) && !offered.has("win")) || (four && !offered.has("kong")) || (added && !offered.has("extend"));
}

/** What reasons stay true for: my hand, and the discards so far. @param {Ctx} ctx */
const moment = ({ view, me }) => JSON.stringify([view.seats[me].hand, view.seats.map((s) => s.row.length + s.melds.length)]);

/**
 * Asks once for each moment that suggests something; reasons stay until the next discard. @param {any} table the screen
 * @param {Ctx} ctx @param {any} decision
 */
export function watchReasons(table, ctx, decision) {
  if (table.seat === null) return;
  const now = moment(ctx);
  if (table.reasons && table.reasons.moment !== now) table.reasons = null;
  const key = `${now} ${decision?.id ?? ""}`;
  if (table.reasonKey !== key && suggests(ctx, decision, table.hintList ?? [])) {
    table.reasonKey = key;
    ask(table, now);
  }
  const button = /** @type {HTMLElement|null} */ (table.app.querySelector("[data-do=help]"));
  const lit = Boolean(table.reasons?.list.length);
  button?.classList.toggle("lit", lit);
  button?.setAttribute("aria-label", t(lit ? "为什么不能" : "说明"));
}

/** @param {any} table @param {string} now */
async function ask(table, now) {
  try {
    const { reasons } = await table.socket.send("why_not");
    if (!reasons?.length) return;
    table.reasons = { moment: now, list: reasons };
    table.schedule();
  } catch {
    table.reasonKey = "";
  }
}
