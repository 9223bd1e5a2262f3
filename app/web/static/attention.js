// @ts-check
/**
 * Calls for the player: a sound and a buzz when they are asked, a tick in the last seconds, and in a hidden tab the
 * window's title and, if they allow it, a notice of the device: for their turn, a full table, a vote, a table opened in
 * their circle.
 */
import { t } from "./i18n.js";
import { choose, settings } from "./settings.js";
import { buzz, play } from "./sound.js";

const LAST_MS = 5_000;
const TICK_MS = 1_000;
/** After this long without a touch of the page, a sound calls the player when it is their turn. */
const AWAY_MS = 5_000;

let touched = 0;
for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, () => (touched = performance.now()), true);

let ticking = 0;
/** @type {string|null} */
let title = null;
/** @type {Notification|null} */
let shown = null;

/**
 * I am asked something, or (null) not any more. @param {{turn: boolean, deadline: number, where: string}|null} question
 * `deadline` in `performance.now()` time; `where` says which table
 */
export function attend(question) {
  clearTimeout(ticking);
  if (!question) return;
  const { turn, deadline, where } = question;
  if (!turn) play("ask");
  else if (document.hidden || performance.now() - touched > AWAY_MS) play("turn");
  buzz();
  callFor(t("轮到你了"), where);
  const tick = () => {
    if (performance.now() >= deadline) return;
    play("tick");
    ticking = setTimeout(tick, TICK_MS);
  };
  ticking = setTimeout(tick, Math.max(0, deadline - performance.now() - LAST_MS));
}

/** Calls a player who looks elsewhere; does nothing while the page is visible. @param {string} text @param {string}
 * where */
export function callFor(text, where) {
  if (!document.hidden) return;
  title ??= document.title;
  document.title = `● ${text} · ${where}`;
  if (settings.notify && globalThis.Notification?.permission === "granted") notify(text, where);
}

/** @param {string} text @param {string} where */
async function notify(text, where) {
  const how = { body: where, tag: "quezhuo", icon: new URL("./icon.svg", import.meta.url).href, data: location.href };
  const worker = await navigator.serviceWorker?.getRegistration().catch(() => undefined);
  if (worker) return worker.showNotification(text, how).catch(() => undefined);
  try {
    shown = new Notification(text, how);
    shown.onclick = () => window.focus();
  } catch {
    return; // some devices show notices of a service worker only
  }
}

document.addEventListener("visibilitychange", () => {
  if (document.hidden) return;
  if (title !== null) document.title = title;
  title = null;
  shown?.close();
  shown = null;
});

/** Switches notices on, if the browser allows them, or off; what holds from now on. @param {boolean} on */
export async function allowNotices(on) {
  const allowed = on && "Notification" in globalThis && (await Notification.requestPermission()) === "granted";
  choose({ notify: allowed });
  return allowed;
}
