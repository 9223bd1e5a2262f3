// @ts-check
/** A person's input at the table: picking and discarding tiles, choosing offers, keys. Sends only offered actions. */
import { showRefusal } from "../refusals.js";
import { settings } from "../settings.js";
import { Refusal } from "../socket.js";
import { play } from "../sound.js";
import { toast } from "../speak.js";
import { discardable, groups } from "./present.js";

export class Input {
  /** @param {any} table the screen @param {AbortSignal} signal */
  constructor(table, signal) {
    this.table = table;
    this.choose = this.choose.bind(this);
    this.may = this.may.bind(this);
    addEventListener("keydown", (e) => this.key(e), { signal });
    /** @type {string|null} */ this.selected = null;
    /** Which of equal tiles was picked, by its id. @type {number|null} */ this.picked = null;
    /** @type {string|null} */ this.opened = null;
    this.declaring = false;
    this.busy = false;
    /** The question in which a dear tile was warned of. @type {string|undefined} */ this.sureOf = undefined;
  }

  /** A new question: nothing picked for the old one holds. */
  forget() {
    this.opened = null;
    this.declaring = false;
    this.selected = null;
  }

  /** Can this tile be discarded now? @param {string} tile */
  may(tile) {
    return !this.busy && discardable(this.table.socket.decision, this.declaring).has(tile);
  }

  /** A tile of my hand was chosen. @param {string} tile @param {boolean} sure @param {number} id which of equal ones */
  choose(tile, sure, id) {
    this.picked = id;
    const allowed = discardable(this.table.socket.decision, this.declaring);
    if (sure && allowed.has(tile)) return void this.discard(tile);
    if (this.declaring && !allowed.has(tile)) return;
    this.selected = sure ? null : tile;
    if (this.selected) play("pick");
    this.table.schedule();
  }

  /** @param {string} tile */
  async discard(tile) {
    const { decision } = this.table.socket;
    const action = decision?.options.find(
      (/** @type {any} */ o) => o.verb === "discard" && o.tiles === tile && Boolean(o.choice) === this.declaring,
    );
    if (!action) return;
    const warning = settings.askWild && this.sureOf !== decision.id && this.table.face.warnDiscard(this.table.socket.view, tile);
    if (warning) {
      this.sureOf = decision.id;
      this.selected = tile;
      this.table.schedule();
      return toast(warning);
    }
    await this.act(action);
  }

  /** @param {string} key */
  toggle(key) {
    if (key === "declare") {
      this.declaring = !this.declaring;
      this.selected = null;
    } else this.opened = this.opened === key ? null : key;
    this.table.schedule();
  }

  /** Sends a choice. The buttons go at once; the server's refusal brings them back. @param {any} action */
  async act(action) {
    if (this.busy) return;
    this.busy = true;
    this.opened = null;
    this.table.schedule();
    try {
      await this.table.socket.act(action);
    } catch (error) {
      if (error instanceof Refusal && error.code !== "closed") showRefusal(error);
    }
    this.busy = false;
    this.selected = null;
    this.table.schedule();
  }

  /** @param {KeyboardEvent} e */
  key(e) {
    const target = /** @type {Element} */ (e.target);
    if (e.ctrlKey || e.metaKey || e.altKey || target.matches?.("input, textarea, select") || document.querySelector("dialog[open]")) return;
    const hand = /** @type {HTMLElement} */ (this.table.slots.hand);
    if ((e.key === "ArrowLeft" || e.key === "ArrowRight") && target === document.body) {
      /** @type {HTMLElement|null} */ (hand.querySelector(".tilebtn:last-child") ?? hand.querySelector(".tilebtn"))?.focus();
      return;
    }
    const { decision } = this.table.socket;
    if (!decision || this.busy) return;
    if (e.key === "Enter" && this.selected && !target.closest?.("button")) return void this.discard(this.selected);
    const group = groups(decision, this.table.face).find((g) => this.table.face.keys[g.key]?.toLowerCase() === e.key.toLowerCase());
    if (!group) return;
    e.preventDefault();
    if (group.key === "declare" || group.actions.length > 1) this.toggle(group.key);
    else this.act(group.actions[0]);
  }
}
