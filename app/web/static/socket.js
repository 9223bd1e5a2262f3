// @ts-check
/**
 * One seat's connection to a table: hello, resume, heartbeat, requests with one answer each, silent reconnect.
 *
 * Keeps what survives a lost cable: the folded view, the last `[round, n]`, and requests that have no answer yet (they are
 * sent again under the same id, and the server answers a repeated id with the first answer). Draws nothing.
 * Part of `@quezhuo/client` (`app/sdk/js`): runs where there is a `WebSocket`, with a page or without.
 */
import { fold } from "./view.js";

/** @typedef {import("./view.js").View} View */
/** @typedef {{id: string, clock: string, options: Record<string, any>[], left_ms: number, total_ms: number|null}} Decision */
/** @typedef {{kind: string, data: any, resolve: (data: any) => void, reject: (error: Refusal) => void}} Pending */

const PING_MS = 10_000;
/** Silence after which the line counts as lost: one ping unanswered, well within the promised 20 s. */
const SILENCE_MS = 16_000;
const HELLO_MS = 6_000;
const QUICK_TRIES = 12;
/** A socket that is not open by then leads to a node that does not listen: another ticket leads to one that does (R3). */
export const OPEN_MS = 1_000;

/** States of a WebSocket. */
const [CONNECTING, OPEN] = [0, 1];

/** Close codes after which a client must not come back by itself. */
export const FINAL = { 4001: "replaced", 4004: "closed", 4005: "removed", 4008: "version", 4009: "abuse" };

/** Refusals of a ticket after which asking again is of no use. */
const SHUT = ["no_such_room", "room_closed", "not_allowed", "banned", "gone", "not_found"];

/** A coded refusal of the server. */
export class Refusal extends Error {
  /** @param {{code: string, message: string, detail?: any, left_ms?: number|null}} data */
  constructor(data) {
    super(data.message);
    this.code = data.code;
    this.detail = data.detail;
    this.leftMs = data.left_ms ?? null;
  }
}

/** Begins to open a line to the node of a ticket. @param {string} path @param {string} [origin] the server's; without: the page's */
export function dial(path, origin = location.href) {
  const url = new URL(path, origin);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  return new WebSocket(url, "mahjong.v1");
}

let counter = 0;
/** A request id no other tab or reload uses. */
export const requestId = () => `${Date.now().toString(36)}-${Math.random().toString(36).slice(2, 8)}-${counter++}`;

/**
 * @typedef {object} Hooks
 * @property {() => Promise<{ticket: string, ws_path: string}>} ticket asks REST for a fresh ticket
 * @property {(path: string) => WebSocket} [dial] opens a line; without: `dial` from the page
 * @property {(events: Record<string, any>[], before: View|null) => void} [events] one entry was folded
 * @property {() => void} [synced] everything came anew
 * @property {() => void} [changed] view, match or prompt changed
 * @property {(kind: string, data: any) => void} [notice] presence, chat, countdown, saving, notice, lobby
 * @property {(state: "open"|"lost"|"final", reason?: string) => void} [line] the line's state
 */

export class TableSocket {
  /** @param {Hooks} hooks */
  constructor(hooks) {
    this.hooks = hooks;
    /** @type {View|null} */ this.view = null;
    /** @type {any} */ this.match = null;
    /** @type {any} */ this.room = null;
    /** @type {{seat: number|null, user?: string, auto_win?: boolean}|null} */ this.me = null;
    /** @type {Decision|null} */ this.decision = null;
    /** When the open decision's clock ends, in `performance.now()` time. */
    this.deadline = 0;
    /** @type {[number, number]|null} */ this.last = null;
    /** @type {Map<string, Pending>} */ this.pending = new Map();
    /** @type {WebSocket|null} */ this.socket = null;
    this.tries = 0;
    /** @type {number|undefined} */ this.pause = undefined;
    this.heard = 0;
    this.asking = false;
    this.ended = false;
    this.timer = 0;
    /** The server's reason for the close; stands in the last `bye`. */
    this.farewell = "";
    /** The round that `view` shows; `match.round_no` is one ahead as soon as it is settled. */
    this.viewRound = 0;
    this.gone = new AbortController();
    if (typeof document !== "undefined") this.watchPage();
  }

  /** A page that is seen again, or has its network back, tries at once. */
  watchPage() {
    const { signal } = this.gone;
    addEventListener("online", () => this.retry(), { signal });
    addEventListener("offline", () => this.socket && this.drop(this.socket), { signal });
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.retry(), { signal });
  }

  /** Opens the line; comes back by itself until a final close. */
  async open() {
    clearTimeout(this.timer);
    if (this.ended || this.asking || (this.socket && this.socket.readyState <= OPEN)) return;
    this.asking = true;
    const pass = await this.admission();
    this.asking = false;
    if (!pass || this.ended) return;
    const socket = (this.hooks.dial ?? dial)(pass.ws_path);
    this.socket = socket;
    setTimeout(() => socket.readyState === CONNECTING && this.drop(socket), OPEN_MS);
    socket.onopen = () => socket === this.socket && this.hello(socket, pass.ticket);
    socket.onmessage = (message) => socket === this.socket && this.receive(JSON.parse(message.data));
    socket.onclose = (event) => socket === this.socket && this.lost(event.code);
  }

  /** A fresh ticket; null: it is tried again later, or never. */
  async admission() {
    try {
      return await this.hooks.ticket();
    } catch (error) {
      const code = error instanceof Refusal ? error.code : "";
      if (SHUT.includes(code)) this.finish(code);
      else this.again();
      return null;
    }
  }

  /** @param {WebSocket} socket @param {string} ticket */
  hello(socket, ticket) {
    this.heard = performance.now();
    const data = { ticket, ...(this.last && this.view ? { last: this.last } : {}) };
    socket.send(JSON.stringify({ id: requestId(), kind: "hello", data }));
    clearInterval(this.beat);
    this.beat = setInterval(() => this.pulse(socket), 2_000);
    this.greeted = false;
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => socket === this.socket && !this.greeted && this.drop(socket), HELLO_MS);
  }

  /** @param {WebSocket} socket */
  pulse(socket) {
    if (socket !== this.socket) return;
    const silent = performance.now() - this.heard;
    if (silent > SILENCE_MS) return this.drop(socket);
    if (silent > PING_MS - 2_500 && socket.readyState === OPEN && performance.now() - (this.pinged ?? 0) > 4_000) {
      this.pinged = performance.now();
      socket.send(JSON.stringify({ id: requestId(), kind: "ping", data: { t: Math.round(this.pinged) } }));
    }
  }

  /** Gives up on a dead line without waiting for its close. @param {WebSocket} socket */
  drop(socket) {
    if (socket !== this.socket) return;
    socket.onclose = null;
    socket.close();
    this.lost(1006);
  }

  /** @param {number} code */
  lost(code) {
    clearInterval(this.beat);
    this.socket = null;
    const reason = /** @type {Record<number, string>} */ (FINAL)[code];
    if (reason) return this.finish(reason === "closed" && this.farewell ? this.farewell : reason);
    this.farewell = "";
    this.hooks.line?.("lost");
    this.again(code === 4002 ? 0 : undefined);
  }

  /**
   * Tries again later, after jittered pauses: a quarter of a second, a half, then seconds; from the twelfth try on they
   * double, 8 s at most. A server that is started again serves within seconds.
   * @param {number} [pause]
   */
  again(pause) {
    if (this.ended) return;
    this.tries += 1;
    const grown = Math.min(1_000, 125 * 2 ** this.tries) * 2 ** Math.max(0, this.tries - QUICK_TRIES);
    const wait = pause ?? this.pause ?? Math.min(8_000, grown) * (0.5 + Math.random());
    this.pause = undefined;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.open(), wait);
  }

  /** The user asked, or the network is back. */
  retry() {
    if (!this.socket && !this.ended) {
      this.tries = 0;
      this.open();
    }
  }

  /** @param {string} reason */
  finish(reason) {
    this.ended = true;
    this.gone.abort();
    clearTimeout(this.timer);
    clearInterval(this.beat);
    for (const wait of this.pending.values()) wait.reject(new Refusal({ code: reason, message: reason }));
    this.pending.clear();
    this.hooks.line?.("final", reason);
  }

  /** Leaves for good, from the page's side. */
  close() {
    this.ended = true;
    this.gone.abort();
    clearTimeout(this.timer);
    clearTimeout(this.waiting);
    clearInterval(this.beat);
    const socket = this.socket;
    this.socket = null;
    socket?.close(1000);
  }

  /**
   * One request, one answer. Survives a lost line under the same id. @param {string} kind @param {any} [data]
   * @returns {Promise<any>} the ack's data; rejects with a `Refusal`
   */
  send(kind, data = {}) {
    const id = requestId();
    return new Promise((resolve, reject) => {
      this.pending.set(id, { kind, data, resolve, reject });
      if (this.greeted) this.transmit(id);
    });
  }

  /** @param {string} id */
  transmit(id) {
    const wait = this.pending.get(id);
    if (wait && this.socket?.readyState === OPEN) {
      this.socket.send(JSON.stringify({ id, kind: wait.kind, data: wait.data }));
    }
  }

  /** Chooses an offered action. @param {Record<string, any>} action */
  act(action) {
    if (!this.decision || !this.match) return Promise.reject(new Refusal({ code: "closed", message: "closed" }));
    return this.send("act", { round: this.match.round_no, decision: this.decision.id, action });
  }

  /** @param {{kind: string, data: any, seq?: [number, number]}} frame */
  receive(frame) {
    this.heard = performance.now();
    if (frame.kind === "events" && this.skips(/** @type {[number, number]} */ (frame.seq))) return;
    if (frame.seq) this.last = frame.seq;
    const step = RECEIVE[frame.kind];
    if (!step) return void this.hooks.notice?.(frame.kind, frame.data);
    try {
      step(this, frame.data);
    } catch (error) {
      console.warn(error);
      this.socket?.close(1000);
      this.finish("version");
    }
  }

  /** Entries come once and gapless; one that was seen is dropped, after a gap everything is asked for again. @param {[number, number]} seq */
  skips(seq) {
    const [round, n] = this.last ?? [0, 0];
    if (seq[0] !== round) return false;
    if (seq[1] > n + 1) this.send("sync").catch(() => undefined);
    return seq[1] !== n + 1;
  }

  /** The first answer of the server: the line stands; everything unanswered goes out again. */
  greet() {
    if (this.greeted) return;
    this.greeted = true;
    clearTimeout(this.waiting);
    this.tries = 0;
    this.hooks.line?.("open");
    for (const id of this.pending.keys()) this.transmit(id);
  }

  /** @param {{decision: Decision|null}} prompt */
  ask(prompt) {
    this.decision = prompt.decision;
    this.deadline = prompt.decision ? performance.now() + prompt.decision.left_ms : 0;
    this.hooks.changed?.();
  }
}

/** @type {Record<string, (socket: TableSocket, data: any) => void>} */
const RECEIVE = {
  events(socket, data) {
    const before = socket.view;
    for (const event of data.events) {
      if (event.type === "round_started") socket.viewRound = socket.last?.[0] ?? 0;
      socket.view = fold(socket.view, event);
    }
    if (data.match) socket.match = data.match;
    if (data.me && socket.me) socket.me = { ...socket.me, ...data.me };
    socket.hooks.events?.(data.events, before);
    socket.hooks.changed?.();
  },
  sync(socket, data) {
    socket.view = data.view;
    socket.viewRound = socket.last?.[0] ?? 0;
    socket.match = data.match;
    socket.room = data.room;
    socket.me = data.me;
    socket.hooks.synced?.();
    socket.ask(data.prompt);
  },
  prompt: (socket, data) => socket.ask(data),
  ack(socket, data) {
    const wait = socket.pending.get(data.ref);
    socket.pending.delete(data.ref);
    wait?.resolve(data);
    socket.greet();
  },
  error(socket, data) {
    const wait = socket.pending.get(data.ref);
    socket.pending.delete(data.ref);
    if (wait) wait.reject(new Refusal(data));
    else if (!socket.greeted && socket.socket) socket.drop(socket.socket);
  },
  pong() {},
  bye(socket, data) {
    socket.pause = data.retry_ms;
    socket.farewell = data.reason ?? "";
  },
};
