// @ts-check
/** The lobby's live feed: which tables of a circle, or of the public, are open now. Comes back by itself after a loss. */
import { post } from "../api.js";
import { dial, OPEN_MS, requestId } from "../socket.js";

const AGAIN_MS = 2_000;
const PING_MS = 10_000;

/**
 * @param {{circle?: string, lobby?: boolean}} what @param {(rooms: any[]) => void} show
 * @param {() => void} [changed] something else of the circle has changed, or may have while the line was lost
 */
export function openLobbyFeed(what, show, changed) {
  /** @type {Map<string, any>} */
  const rooms = new Map();
  /** @type {WebSocket|null} */
  let socket = null;
  let closed = false;
  let before = false;
  let timer = 0;
  let beat = 0;
  const send = (/** @type {string} */ kind, /** @type {any} */ data) => socket?.send(JSON.stringify({ id: requestId(), kind, data }));
  const again = () => {
    clearInterval(beat);
    clearTimeout(timer);
    if (!closed) timer = setTimeout(open, AGAIN_MS);
  };
  async function open() {
    const pass = await post("/lobby/ticket").catch(() => null);
    if (!pass || closed) return again();
    const line = dial(pass.ws_path);
    socket = line;
    setTimeout(() => line.readyState === WebSocket.CONNECTING && giveUp(line), OPEN_MS);
    line.onopen = () => {
      send("hello", { ticket: pass.ticket });
      send("watch", what);
      beat = setInterval(() => send("ping", { t: 0 }), PING_MS);
    };
    line.onmessage = (message) => {
      const { kind, data } = JSON.parse(message.data);
      if (kind === "lobby") take(data);
    };
    line.onclose = again;
  }
  /** Waits for no close of a line that never opened. @param {WebSocket} line */
  function giveUp(line) {
    line.onclose = null;
    line.close();
    again();
  }
  /** @param {{all: boolean, rooms: any[], gone: string[], changed?: boolean}} news */
  function take(news) {
    if (news.all) rooms.clear();
    for (const room of news.rooms) rooms.set(room.id, room);
    for (const id of news.gone) rooms.delete(id);
    show([...rooms.values()]);
    if (news.changed || (news.all && before)) changed?.();
    before = true;
  }
  open();
  return {
    close() {
      closed = true;
      clearTimeout(timer);
      clearInterval(beat);
      if (socket) socket.onclose = null;
      socket?.close(1000);
    },
  };
}
