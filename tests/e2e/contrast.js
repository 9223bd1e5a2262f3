// Put into a page by the tests: texts with less contrast to what lies behind them than AA asks for, at its worst point.
/* global window, document, getComputedStyle */

/** `rgb(…)`, `rgba(…)` or `color(srgb …)` as computed styles write them: [red, green, blue, alpha] of 255 and 1. */
function parse(text) {
  const parts = text.match(/[\d.]+/g).map(Number);
  const [r, g, b, a = 1] = parts;
  return text.startsWith("color(") ? [255 * r, 255 * g, 255 * b, a] : [r, g, b, a];
}

const over = ([r, g, b, a], [R, G, B]) => [a * r + (1 - a) * R, a * g + (1 - a) * G, a * b + (1 - a) * B, 1];

const light = (color) => {
  const [r, g, b] = color.slice(0, 3).map((part) => {
    const c = part / 255;
    return c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};

const ratio = (one, other) => {
  const [a, b] = [light(one), light(other)].sort((x, y) => y - x);
  return (a + 0.05) / (b + 0.05);
};

const COLORS = /(?:rgba?|color)\([^)]*\)/g;

/** All colours that may lie behind an element, from what is nearest to it down to the first that hides the rest. */
function behind(e) {
  const layers = [];
  for (let at = e; at; at = at.parentElement) {
    const style = getComputedStyle(at);
    const images = [style.backgroundImage, at.matches(".app") ? getComputedStyle(at, "::before").backgroundImage : "none"];
    const stops = images
      .flatMap((image) => (image.includes("radial") || image.startsWith("linear") ? (image.match(COLORS) ?? []) : []))
      .map(parse)
      .filter(([, , , a]) => a === 1);
    const plain = parse(style.backgroundColor);
    if (plain[3] > 0) layers.push([plain]);
    if (stops.length) layers.push(stops);
    if (stops.length || plain[3] === 1) break;
  }
  let found = [[255, 255, 255, 1]];
  for (const layer of layers.reverse()) found = layer.flatMap((one) => found.map((under) => over(one, under)));
  return found;
}

window.faint = () => {
  const faults = new Set();
  for (const e of document.querySelectorAll("body *")) {
    const own = [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim());
    if (!own || !e.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    if (e.closest("svg, .vh, #say, .fx, [disabled], noscript, script")) continue;
    const { color, fontSize, fontWeight } = getComputedStyle(e);
    const size = parseFloat(fontSize);
    const least = size >= 24 || (size >= 18.66 && Number(fontWeight) >= 700) ? 3 : 4.5;
    const worst = Math.min(...behind(e).map((back) => ratio(over(parse(color), back), back)));
    if (worst < least - 0.02) faults.add(`${e.tagName}.${e.className} ${worst.toFixed(2)} < ${least}: ${e.textContent.trim().slice(0, 16)}`);
  }
  return [...faults];
};
