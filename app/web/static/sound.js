// @ts-check
/**
 * Sounds and spoken words: on after the first tap, off once switched off, which this device remembers.
 * Nothing is loaded before the first tap. A hidden tab is silent except for calls to the player.
 */
import { choose, settings } from "./settings.js";

/** The stereo position of a place at the table. @type {Record<string, number>} */
const SIDES = { left: -0.55, right: 0.55 };
/** Limit of clacks within a number of ms: a deal thins itself out. */
const CLACKS = 3;
const CLACKS_MS = 60;
/** The sounds that a hidden tab may still make. */
const URGENT = new Set(["ask", "turn"]);
/** When a voice speaks as well, its sound is 6 dB quieter. */
const UNDER_VOICE = 0.5;
const BUZZ_MS = 15;

/** @type {Promise<{made: typeof import("./sound/made.js"), voice: typeof import("./sound/voice.js")}>|null} */
let engine = null;
let tapped = false;
/** @type {number[]} */
let clacks = [];

/** Loads what makes sounds, once a tap has allowed it; null: silence. */
function ready() {
  if (!tapped || !settings.audible) return null;
  engine ??= (async () => {
    const [made, voice] = await Promise.all([import("./sound/made.js"), import("./sound/voice.js")]);
    made.open(settings.volume);
    await voice.usePack(settings.voicePack);
    return { made, voice };
  })();
  return engine;
}

/** Browsers let a page be heard after the first tap or key. */
function onFirstTap() {
  for (const kind of ["pointerdown", "keydown"]) removeEventListener(kind, onFirstTap, true);
  tapped = true;
  ready();
}
for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, onFirstTap, true);

/** Too many at once are a rattle. */
function tooMany() {
  const now = performance.now();
  clacks = clacks.filter((at) => now - at < CLACKS_MS);
  clacks.push(now);
  return clacks.length > CLACKS;
}

/** Plays a sound (`SOUNDS` in `sound/made.js`), heard from the side of a place. @param {string} name @param {{place?: string, soft?: boolean}} [how] */
export async function play(name, { place = "", soft = false } = {}) {
  if (document.hidden && !URGENT.has(name)) return;
  if (name === "clack" && tooMany()) return;
  const parts = await ready();
  if (!parts) return;
  const pan = SIDES[place] ?? 0;
  if (!(await parts.voice.playOwn(name, pan))) parts.made.play(name, pan, soft ? UNDER_VOICE : 1);
}

/** Says a tile or a call in Chinese, if this device can and may. @param {string} words @param {string} [place] */
export async function speakAloud(words, place = "") {
  if (document.hidden || !settings.speech) return;
  const parts = await ready();
  await parts?.voice.speak(words, settings.volume, SIDES[place] ?? 0);
}

/** Will a voice be heard with a sound? */
export async function voiced() {
  return settings.speech && Boolean((await ready())?.voice.canSpeak());
}

/** A short buzz in the hand, where the device can and may. */
export function buzz() {
  if (tapped && settings.vibrate && "vibrate" in navigator) navigator.vibrate(BUZZ_MS);
}

/** @param {number} volume 0 to 1 */
export async function setVolume(volume) {
  choose({ volume });
  (await ready())?.made.setVolume(volume);
  play("clack");
}

/** @param {string} slug of a voice pack; "": the device's voice */
export async function setPack(slug) {
  choose({ voicePack: slug });
  const parts = await ready();
  await parts?.voice.usePack(slug);
}

/** The voice packs of this server. */
export const voicePacks = async () => (await import("./sound/voice.js")).packs();
