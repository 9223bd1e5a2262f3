// @ts-check
/**
 * Waiting for a quick match: how long, how many wait, and after a while bots, while the search goes on (W5).
 *
 * A player has one seat, so a player at a bot table holds none at a public table: the page follows the lobby's feed for
 * them, and as soon as another player waits for the same game it shows that, with one tap to go there.
 */
import { get, post, session } from "../api.js";
import { h } from "../dom.js";
import { t } from "../i18n.js";
import { showRefusal } from "../refusals.js";
import { toast } from "../speak.js";
import { openLobbyFeed } from "./feed.js";
import { enter } from "./enter.js";

/** After this long the page offers more than a clock. */
const OFFER_MS = 15_000;
const TICK_MS = 1_000;

/** People who wait at public tables, by game. @param {any[]} rooms @returns {Record<string, number>} */
export function waitingByGame(rooms) {
  /** @type {Record<string, number>} */
  const count = {};
  for (const room of rooms) {
    if (room.phase !== "waiting") continue;
    const people = room.seats.filter((/** @type {any} */ s, /** @type {number} */ at) => s && !room.bots?.[at]).length;
    count[room.variant] = (count[room.variant] ?? 0) + people;
  }
  return count;
}

/** @param {number} ms */
const clock = (ms) => `${Math.floor(ms / 60_000)}:${String(Math.floor(ms / 1_000) % 60).padStart(2, "0")}`;

/** Since when the room is waited in; also after a reload. @param {string} room */
function since(room) {
  const key = `search-${room}`;
  const kept = Number(sessionStorage.getItem(key));
  if (kept) return kept;
  const now = Date.now();
  sessionStorage.setItem(key, String(now));
  return now;
}

/** The block above the seats of a public table until it is full. @param {any} table the screen */
export function searching(table) {
  const { match, room } = table.socket;
  const from = since(table.roomId);
  const time = h("b", { class: "num", role: "timer" });
  const others = h("span", { class: "num" });
  const offer = h(
    "div",
    { class: "offer", hidden: true },
    h("p", { role: "status" }),
    h("button", {
      class: "btn sm",
      type: "button",
      "data-do": "bots-meanwhile",
      text: t("先和电脑打，找到再叫我"),
      on: { click: () => playMeanwhile(table) },
    }),
  );
  const here = match.seats.filter(Boolean).length;
  const box = h(
    "div",
    { class: "searching" },
    h("h1", { text: t("正在找牌友") }),
    h(
      "p",
      { class: "soon" },
      t("已等"),
      " ",
      time,
      " · ",
      h("span", { class: "num", text: t("这桌 {0}/{1} 人", here, match.seats.length) }),
      others,
    ),
    offer,
  );
  const tick = () => {
    const waited = Date.now() - from;
    time.textContent = clock(waited);
    if (waited >= OFFER_MS && offer.hidden) {
      offer.hidden = false;
      /** @type {HTMLElement} */ (offer.firstElementChild).textContent = t("现在人少。找牌友不会停，人满就开局。");
    }
  };
  const feed = openLobbyFeed({ lobby: true }, (rooms) => {
    const all = waitingByGame(rooms)[room.variant] ?? here;
    others.textContent = ` · ${t("这个玩法共 {0} 人在等", Math.max(all, here))}`;
  });
  tick();
  let shown = false;
  const timer = setInterval(() => {
    shown ||= box.isConnected;
    if (!shown || box.isConnected) return tick();
    clearInterval(timer);
    feed.close();
  }, TICK_MS);
  return box;
}

/** Gives the public seat up for a table with bots and goes on looking. @param {any} table the screen */
async function playMeanwhile(table) {
  const game = table.socket.room.variant;
  try {
    await post(`/rooms/${encodeURIComponent(table.roomId)}/leave`);
    const room = await practice(game);
    watch(game, room.id);
  } catch (error) {
    showRefusal(error);
  }
}

/** A private room filled with bots. @param {string} variant */
export async function practice(variant) {
  const room = await post("/rooms", { variant, settings: { fill_with_bots: true, claim_hold_ms: 500, think_s: 60, claim_s: 15 } });
  sessionStorage.setItem(`practice-${room.id}`, "1");
  enter(room);
  return room;
}

/** @type {(() => void)|null} */
let stop = null;

/** Shows when another player waits for this game, as long as that practice table is open here. @param {string} game
 * @param {string} room */
function watch(game, room) {
  stop?.();
  let before = 0;
  const feed = openLobbyFeed({ lobby: true }, (rooms) => {
    const waits = waitingByGame(rooms)[game] ?? 0;
    if (waits > before) toast(t("有 {0} 位牌友在等", waits), { label: t("过去一起打"), run: () => join(game, room) });
    before = waits;
  });
  const left = () => location.hash !== `#/table/${room}` && stop?.();
  addEventListener("hashchange", left);
  stop = () => {
    removeEventListener("hashchange", left);
    feed.close();
    stop = null;
  };
}

/** From the practice table to a public one. @param {string} game @param {string} room */
async function join(game, room) {
  stop?.();
  try {
    await post(`/rooms/${encodeURIComponent(room)}/leave`);
    await freed();
    enter(await post("/quick", { variant: game }));
  } catch (error) {
    showRefusal(error);
  }
}

const LOOK_MS = 200;

/** Until the seat that was given up holds me no longer; a round with bots is played out by autoplay, so not for ever. */
async function freed() {
  for (let looks = 0; looks < 20; looks += 1) {
    if (!(await get("/me/room")).room) return;
    await new Promise((wake) => setTimeout(wake, LOOK_MS));
  }
}

/** Am I one of those who sit there? @param {any} room */
export const sitsThere = (room) => room.seats.some((/** @type {any} */ seat) => seat?.user === session()?.user.id);
