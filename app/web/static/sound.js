// @ts-check
/** Short clicks made by code, off until somebody switches them on. No files, no music. */
import { settings } from "./settings.js";

/** Pitch in Hz and length in seconds. @type {Record<string, [number, number]>} */
const VOICES = { tile: [1250, 0.045], claim: [520, 0.12], ask: [880, 0.09], win: [660, 0.35] };

/** @type {AudioContext|null} */
let audio = null;

/** @param {"tile"|"claim"|"ask"|"win"} what */
export function click(what) {
  if (!settings.sound) return;
  audio ??= new AudioContext();
  const [pitch, length] = VOICES[what];
  const voice = audio.createOscillator();
  const volume = audio.createGain();
  voice.type = "triangle";
  voice.frequency.value = pitch;
  volume.gain.setValueAtTime(0.12, audio.currentTime);
  volume.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + length);
  voice.connect(volume).connect(audio.destination);
  voice.start();
  voice.stop(audio.currentTime + length);
}
