// @ts-check
/** What the table shows for a moment: points that moved, a phrase beside a seat, how a vote ended. */
import { t } from "../i18n.js";
import { settings } from "../settings.js";
import { play } from "../sound.js";
import { say } from "../speak.js";
import { PHRASES } from "./menu.js";

/** Time for which a change of points, or a phrase, stands beside a seat. */
const FLY_MS = 2_000;
const SAID_MS = 3_500;
/** Time for which the bar shows the end of a vote. */
const NEWS_MS = 6_000;

export class Passing {
  /** @param {any} table the screen */
  constructor(table) {
    this.table = table;
    /** Points that moved last, by seat. @type {number[]|null} */ this.moved = null;
    /** Phrases, by seat. @type {Record<number, string>} */ this.said = {};
    /** A text of the bar. @type {string|null} */ this.news = null;
    /** @type {Record<string, any>} */ this.timers = {};
  }

  /** Runs later, once; a new one of the same name takes its place. @param {string} name @param {number} after_ms @param {() => void} run */
  later(name, after_ms, run) {
    clearTimeout(this.timers[name]);
    this.timers[name] = setTimeout(() => {
      run();
      this.table.schedule();
    }, after_ms);
  }

  stop() {
    for (const timer of Object.values(this.timers)) clearTimeout(timer);
  }

  /** Points move. @param {number[]} moved by seat */
  fly(moved) {
    this.moved = moved;
    this.later("moved", FLY_MS, () => (this.moved = null));
  }

  /** The bar tells something, and so does the live region. @param {string} text */
  tell(text) {
    this.news = text;
    say(text);
    this.later("news", NEWS_MS, () => (this.news = null));
  }

  /** A player says a quick phrase; a muted player's is not shown. @param {{seat: number, code: string}} data */
  hear({ seat, code }) {
    if (settings.muted.includes(this.table.socket.match?.seats[seat]?.user)) return;
    const text = t(PHRASES[code] ?? "…");
    this.said = { ...this.said, [seat]: text };
    play("pop");
    say(`${this.table.who(seat)}：${text}`);
    this.later(`said${seat}`, SAID_MS, () => delete this.said[seat]);
  }
}
