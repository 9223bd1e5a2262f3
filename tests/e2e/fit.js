// Put into a page by the tests: what is outside the screen, lies over something else, or is cut off.
/* global window, document, getComputedStyle, innerWidth, innerHeight */

const SLACK = 4;
const shown = (selector) => [...document.querySelectorAll(selector)].filter((e) => e.checkVisibility({ visibilityProperty: true }));
const box = (e) => e.getBoundingClientRect();
const told = (e) => `${e.className.baseVal ?? e.className} ${e.textContent.slice(0, 30)}`;

const TABLE = {
  seats: ".seat .plate",
  laid: ".seat .meld",
  rivers: ".river svg.qt",
  dock: ".dock button, .clock",
  hand: ".hand .tilebtn, .hand .meld",
  middle: ".centre",
  waits: ".ting:not(.idle)",
  tools: ".app header, .app nav",
};
const SHEET = {
  who: ".sheet .who",
  change: ".sheet .dl",
  total: ".sheet .tot",
  tiles: ".sheet .seat .row > *",
  ledger: ".sheet summary > *",
  patterns: ".sheet .pat",
};

const meet = (a, b) =>
  Math.min(a.right, b.right) - Math.max(a.left, b.left) > SLACK && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > SLACK;

const clash = (a, b) => !a.contains(b) && !b.contains(a) && meet(box(a), box(b));

window.misplaced = () => {
  const sheet = document.querySelector(".overlay:not([hidden]) .sheet");
  const parts = Object.entries(sheet ? SHEET : TABLE).map(([name, selector]) => [name, shown(selector)]);
  const outside = ({ left, right, top, bottom }) =>
    left < -2 || right > innerWidth + 2 || (!sheet && (top < -2 || bottom > innerHeight + 2));
  const out = parts.flatMap(([name, list]) => list.filter((e) => outside(box(e))).map((e) => `${name} outside: ${told(e)}`));
  const over = parts.flatMap(([one, mine], at) =>
    parts
      .slice(at + 1)
      .flatMap(([other, theirs]) =>
        mine.flatMap((a) => theirs.filter((b) => clash(a, b)).map((b) => `${one} over ${other}: ${told(a)} / ${told(b)}`)),
      ),
  );
  const cut = shown(".dock .btn, .chip, .ting span, .sheet .who b, .centre span")
    .filter((e) => e.clientWidth && e.scrollWidth > e.clientWidth + 2 && getComputedStyle(e).textOverflow !== "ellipsis")
    .map((e) => `cut: ${told(e)}`);
  const wide = document.documentElement.scrollWidth > innerWidth ? ["the page scrolls sideways"] : [];
  return [...new Set([...out, ...over, ...cut, ...wide])];
};
