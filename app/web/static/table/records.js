// @ts-check
/** What is known in public about the players of this table: rounds, win rate, 等级. Asked for when the people change. */
import { get } from "../api.js";

/** @typedef {{user: string, rounds: number, win_rate: number, level: number|null, level_name: string|null}} Known */

export class Records {
  /** @param {any} table the screen */
  constructor(table) {
    this.table = table;
    this.asked = "";
    /** @type {Record<string, Known>} */ this.known = {};
  }

  /** Asks once for each company; a refusal shows nothing. @param {any} match */
  async follow(match) {
    const users = match.seats.flatMap((/** @type {any} */ s) => (s && !s.bot && s.user ? [s.user] : []));
    const asked = users.sort().join();
    if (!users.length || asked === this.asked) return;
    this.asked = asked;
    const told = await get(`/rooms/${encodeURIComponent(this.table.roomId)}/players`).catch(() => null);
    if (!told || asked !== this.asked) return;
    this.known = Object.fromEntries(told.items.map((/** @type {Known} */ row) => [row.user, row]));
    this.table.schedule();
  }

  /** @param {any} person of the match @returns {Known|null} */
  of(person) {
    return (person && !person.bot && this.known[person.user]) || null;
  }
}
