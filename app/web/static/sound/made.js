// @ts-check
/**
 * Every sound of the table, made by WebAudio when it is needed: no file, no loop, no music. Loaded after the first tap.
 *
 * A struck thing is a few partials that fit no scale and die quickly; wood, stone and cloth are bands of noise; strings and
 * gongs have partials that die one after the other. A compressor stands before the volume, so that a pile of clacks never clips.
 */

/** Partials: frequency in Hz or as a multiple, level, seconds until it is silent. @typedef {[number, number, number]}
 * Partial */

const SILENT = 0.0001;
/** The scale of 宫 on D. */
const SCALE = [293.66, 329.63, 369.99, 440, 493.88, 587.33, 659.26, 739.99, 880];
const DICE = [0, 0.09, 0.16, 0.3, 0.41, 0.5, 0.57, 0.62];
/** No two tiles sound alike: by how much a clack is out of tune. */
const DETUNE = 0.05;

/** @type {AudioContext} */
let audio;
/** @type {GainNode} */
let level;
/** @type {AudioNode} */
let out;
/** @type {AudioBuffer} */
let noise;

/** Opens the device's sound; only a tap or a key may. @param {number} volume 0 to 1 */
export function open(volume) {
  audio = new AudioContext();
  const compressor = audio.createDynamicsCompressor();
  compressor.threshold.value = -14;
  compressor.ratio.value = 4;
  level = audio.createGain();
  level.gain.value = volume;
  compressor.connect(level).connect(audio.destination);
  out = compressor;
  noise = audio.createBuffer(1, audio.sampleRate, audio.sampleRate);
  const samples = noise.getChannelData(0);
  for (let at = 0; at < samples.length; at += 1) samples[at] = Math.random() * 2 - 1;
}

/** @param {number} volume 0 to 1 */
export const setVolume = (volume) => level.gain.setTargetAtTime(volume, audio.currentTime, 0.02);

/** A gain that rises to `peak` in `rise` seconds and falls in `fall`. @param {number} t @param {number} rise @param
 * {number} peak @param {number} fall */
function envelope(t, rise, peak, fall) {
  const gain = audio.createGain();
  gain.gain.setValueAtTime(SILENT, t);
  gain.gain.linearRampToValueAtTime(peak, t + rise);
  gain.gain.exponentialRampToValueAtTime(SILENT, t + rise + fall);
  gain.connect(out);
  return gain;
}

/** One oscillator that glides from a frequency to another. @param {number} t @param {[number, number, number]} glide from, to, seconds @param {GainNode} gain @param {number} length */
function tone(t, [from, to, seconds], gain, length) {
  const voice = audio.createOscillator();
  voice.frequency.setValueAtTime(from, t);
  voice.frequency.exponentialRampToValueAtTime(to, t + seconds);
  voice.connect(gain);
  voice.start(t);
  voice.stop(t + length);
  return voice;
}

/** @param {number} t @param {Partial[]} partials @param {number} peak */
function struck(t, partials, peak) {
  for (const [pitch, part, fall] of partials) tone(t, [pitch * 1.02, pitch, 0.012], envelope(t, 0.0008, peak * part, fall), fall + 0.03);
}

/** A band of noise. @param {number} t @param {{pitch: number, to?: number, q?: number, rise?: number, fall: number, peak: number, low?: boolean}} how */
function hiss(t, { pitch, to = pitch, q = 1, rise = 0.001, fall, peak, low = false }) {
  const source = audio.createBufferSource();
  const band = audio.createBiquadFilter();
  source.buffer = noise;
  band.type = low ? "lowpass" : "bandpass";
  band.Q.value = q;
  band.frequency.setValueAtTime(pitch, t);
  band.frequency.exponentialRampToValueAtTime(to, t + rise + fall);
  source.connect(band).connect(envelope(t, rise, peak, fall));
  source.start(t, Math.random() * 0.7);
  source.stop(t + rise + fall + 0.03);
}

const tune = () => 1 + (Math.random() - 0.5) * DETUNE;

/** A tile on the table: its edge, its body, the table under it. @param {number} t */
function clack(t, pitch = 1, peak = 0.5) {
  const by = tune() * pitch;
  hiss(t, { pitch: 4200 * by, q: 0.8, fall: 0.009, peak: peak * 0.9 });
  /** @type {Partial[]} */
  const body = [
    [1460, 0.55, 0.034],
    [2310, 0.4, 0.026],
    [3870, 0.22, 0.016],
    [5240, 0.1, 0.01],
  ];
  struck(
    t,
    body.map(([at, part, fall]) => [at * by, part, fall]),
    peak,
  );
  hiss(t + 0.001, { pitch: 240, q: 1.1, fall: 0.045, peak: peak * 0.75, low: true });
}

/** A plucked string. @param {number} t @param {number} pitch */
function pluck(t, pitch, peak = 0.3, length = 0.5) {
  /** @type {Partial[]} */
  const partials = [
    [1, 1, 1],
    [2, 0.42, 0.7],
    [3, 0.2, 0.5],
    [4.02, 0.1, 0.35],
    [5.05, 0.05, 0.25],
  ];
  for (const [by, part, share] of partials) {
    const fall = length * share;
    tone(t, [pitch * by * 1.006, pitch * by, 0.05], envelope(t, 0.002, peak * part, fall), fall + 0.05);
  }
  hiss(t, { pitch: pitch * 6, q: 2, fall: 0.012, peak: peak * 0.3 });
}

/** @param {number} t @param {number} pitch @param {number} peak @param {number} length */
function gong(t, pitch, peak, length) {
  /** @type {Partial[]} */
  const partials = [
    [1, 0.9, 1],
    [1.48, 0.5, 0.8],
    [2.02, 0.45, 0.7],
    [2.74, 0.3, 0.5],
    [3.76, 0.16, 0.35],
    [5.1, 0.08, 0.2],
  ];
  for (const [by, part, share] of partials) {
    const fall = length * share;
    tone(t, [pitch * by, pitch * by * 0.985, fall], envelope(t, 0.004 + by * 0.002, peak * part, fall), fall + 0.05);
  }
  hiss(t, { pitch: 900, to: 300, q: 0.7, fall: 0.09, peak: peak * 0.5 });
}

/** A wood block. @param {number} t @param {number} pitch @param {number} peak */
function block(t, pitch, peak) {
  struck(
    t,
    [
      [pitch, 1, 0.06],
      [pitch * 1.52, 0.3, 0.035],
      [pitch * 2.7, 0.12, 0.02],
    ],
    peak,
  );
  hiss(t, { pitch: pitch * 3, q: 1.4, fall: 0.01, peak: peak * 0.4 });
}

/** A run of plucks up the scale. @param {number} t @param {number} notes */
function flourish(t, notes) {
  for (let at = 0; at < notes; at += 1) {
    const octave = at >= SCALE.length ? 2 : 1;
    pluck(t + at * 0.075, SCALE[at % SCALE.length] * octave, 0.22, 0.5 + at * 0.05);
  }
}

/** Two dice rolling out. @param {number} t */
function dice(t) {
  DICE.forEach((later, at) => {
    const peak = 0.34 * (1 - at * 0.08);
    struck(
      t + later,
      [
        [2600 * tune(), 0.5, 0.018],
        [3900 * tune(), 0.4, 0.012],
      ],
      peak,
    );
    hiss(t + later, { pitch: 320, fall: 0.03, peak: peak * 0.5, low: true });
  });
}

/** @param {number} t */
function drumRoll(t) {
  for (let at = 0; at < 5; at += 1) hiss(t + at * 0.06, { pitch: 130, fall: 0.12, peak: 0.3 + at * 0.07, low: true });
}

/** Name → how it is made, from the moment it begins. @type {Record<string, (t: number) => void>} */
export const SOUNDS = {
  clack: (t) => clack(t),
  pick: (t) => clack(t, 1.25, 0.16),
  draw(t) {
    hiss(t, { pitch: 1500, to: 2600, q: 1.2, rise: 0.03, fall: 0.07, peak: 0.1 });
    clack(t + 0.1, 1.12, 0.26);
  },
  slide(t) {
    hiss(t, { pitch: 700, to: 1900, q: 0.9, rise: 0.06, fall: 0.16, peak: 0.13 });
    clack(t + 0.2, 0.92, 0.2);
  },
  dice,
  call(t) {
    block(t, 620, 0.42);
    gong(t + 0.01, 196, 0.2, 0.55);
    clack(t + 0.09, 0.9, 0.4);
  },
  ask(t) {
    block(t, 900, 0.26);
    block(t + 0.11, 1200, 0.3);
  },
  tick: (t) => block(t, 1750, 0.14),
  turn: (t) => pluck(t, 587.33, 0.16, 0.3),
  pop: (t) => void tone(t, [420, 980, 0.07], envelope(t, 0.003, 0.18, 0.09), 0.13),
  pattern(t) {
    block(t, 760, 0.26);
    pluck(t + 0.01, 440, 0.12, 0.35);
  },
  count: (t) => block(t, 2100, 0.05),
  win1(t) {
    block(t, 560, 0.4);
    gong(t, 174, 0.26, 0.9);
    flourish(t + 0.12, 4);
  },
  win2(t) {
    block(t, 560, 0.4);
    gong(t, 165, 0.32, 1.3);
    flourish(t + 0.14, 7);
  },
  win3(t) {
    drumRoll(t);
    gong(t + 0.32, 110, 0.42, 2.2);
    gong(t + 0.32, 220.5, 0.2, 1.8);
    flourish(t + 0.5, 12);
  },
  lose(t) {
    pluck(t, 369.99, 0.16, 0.5);
    pluck(t + 0.16, 293.66, 0.16, 0.7);
  },
};

/** Runs `make` with everything it starts heard from one side. @param {number} pan −1 left to 1 right @param {number} gain @param {(t: number) => void} make */
function from(pan, gain, make) {
  const place = audio.createStereoPanner();
  const softer = audio.createGain();
  const before = out;
  place.pan.value = pan;
  softer.gain.value = gain;
  softer.connect(place).connect(before);
  out = softer;
  make(audio.currentTime + 0.005);
  out = before;
}

/** @param {string} name @param {number} pan @param {number} gain */
export function play(name, pan, gain) {
  if (audio.state === "suspended") audio.resume();
  if (SOUNDS[name]) from(pan, gain, SOUNDS[name]);
}

/** A recorded sound of a voice pack; resolves when it is over. @param {AudioBuffer} recorded @param {number} pan */
export function playRecorded(recorded, pan) {
  from(pan, 1, (t) => {
    const source = audio.createBufferSource();
    source.buffer = recorded;
    source.connect(out);
    source.start(t);
  });
}

/** @param {ArrayBuffer} bytes */
export const decode = (bytes) => audio.decodeAudioData(bytes);
