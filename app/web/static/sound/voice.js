// @ts-check
/**
 * Spoken tile names and calls: by the device's own Chinese voice, or by a voice pack, which also replaces sounds.
 *
 * A pack is a folder `voices/<name>/` with `manifest.json`: `{"name": "天津话", "sounds": {"clack": "clack.ogg"},
 * "words": {"碰": "peng.ogg", "五万": "5m.ogg"}}`. Missing entries are made or spoken by the device. See
 * `voices/README.md`.
 */
import { decode, playRecorded } from "./made.js";

const RATE = 1.15;
const HERE = new URL("../voices/", import.meta.url);

/** @typedef {{name: string, sounds?: Record<string, string>, words?: Record<string, string>}} Manifest */

/** The pack in use: its files, decoded when they are first wanted. @type {{slug: string, manifest: Manifest, files: Map<string, Promise<AudioBuffer|null>>}|null} */
let pack = null;

/** Packs that this server has: slug and name. @returns {Promise<{slug: string, name: string}[]>} */
export const packs = () =>
  fetch(new URL("packs.json", HERE))
    .then((answer) => answer.json())
    .catch(() => []);

/** Takes a pack into use; "" is the device's own voice. @param {string} slug */
export async function usePack(slug) {
  if ((pack?.slug ?? "") === slug) return;
  pack = null;
  if (!/^[a-z0-9-]+$/.test(slug)) return;
  const manifest = await fetch(new URL(`${slug}/manifest.json`, HERE)).then(
    (answer) => (answer.ok ? answer.json() : null),
    () => null,
  );
  if (manifest) pack = { slug, manifest, files: new Map() };
}

/** A file of the pack for a sound or a word; null: it has none, or it cannot be read. @param {"sounds"|"words"} kind @param {string} key */
async function recorded(kind, key) {
  const file = pack?.manifest[kind]?.[key];
  if (!pack || !file) return null;
  if (!pack.files.has(file)) {
    const read = fetch(new URL(`${pack.slug}/${encodeURIComponent(file)}`, HERE))
      .then((answer) => (answer.ok ? answer.arrayBuffer() : Promise.reject(answer.status)))
      .then(decode)
      .catch(() => null);
    pack.files.set(file, read);
  }
  return pack.files.get(file) ?? null;
}

/** Plays the pack's own sound of this name; false: it has none. @param {string} name @param {number} pan */
export async function playOwn(name, pan) {
  const found = await recorded("sounds", name);
  if (found) playRecorded(found, pan);
  return found !== null;
}

/** The device's Chinese voice, the mainland's first; null: it has none. */
function chineseVoice() {
  const all = globalThis.speechSynthesis?.getVoices() ?? [];
  const chinese = all.filter((voice) => /^(zh|cmn)\b/i.test(voice.lang));
  return chinese.find((voice) => /CN|Hans/i.test(voice.lang)) ?? chinese[0] ?? null;
}

/** Can anything be spoken here? */
export const canSpeak = () => pack !== null || chineseVoice() !== null;

/** Says words in Chinese; what is still waiting to be said gives way to what happened since. @param {string} words @param {number} volume @param {number} pan */
export async function speak(words, volume, pan) {
  const found = await recorded("words", words);
  if (found) return playRecorded(found, pan);
  const voice = chineseVoice();
  if (!voice) return;
  const said = new SpeechSynthesisUtterance(words);
  said.voice = voice;
  said.lang = voice.lang;
  said.rate = RATE;
  said.volume = volume;
  if (speechSynthesis.pending) speechSynthesis.cancel();
  speechSynthesis.speak(said);
}
