// Put into a page by the tests: plays by clicking what is offered, as a person would.
/* global window, document, PointerEvent */

window.offered = (key) => document.querySelector(`.dock [data-key="${key}"]`);

window.mine = () => document.querySelector(".app .seat.me.active") && document.querySelector(".dock .claim");

/** My hand and all rows, in one text: different after any move. */
window.shownTable = () => [...document.querySelectorAll(".hand .tilebtn, .river svg")].map((x) => x.dataset.tile ?? x.ariaLabel).join();

window.press = (tile) => {
  const at = { bubbles: true, button: 0, clientY: 100, pointerId: 1 };
  tile.dispatchEvent(new PointerEvent("pointerdown", at));
  tile.dispatchEvent(new PointerEvent("pointerup", at));
};

/** Goes on where a settlement is shown, to a match more after the last; whether one was. */
window.wentOn = () => {
  const sheet = document.querySelector(".overlay:not([hidden]) .sheet");
  const next = sheet?.querySelector("[data-do=ready]:not(:disabled), [data-do=ranking]");
  next?.click();
  return !!next;
};

/** Declines what is asked, also of the next round if one is over so soon; "mine" when it is my turn to discard. */
window.declined = () => {
  const key = ["pass", "sit-false", "pull-0"].find(window.offered);
  if (key) window.offered(key).click();
  return !key && !window.wentOn() && window.mine() ? "mine" : "";
};

/** One move: wins always, with `rare` takes everything else that is offered. */
window.move = (rare) => {
  const special = ["sit-true", "pull-2", "declare", "light", "cover", "kong", "extend", "pong", "chow", "pair_claim"];
  const wanted = ["win", ...(rare ? special : [])];
  const choice = document.querySelector(".pick .opt");
  if (choice) return choice.click();
  const declaring = document.querySelector('.dock [data-key="declare"][aria-pressed="true"]');
  const want = wanted.find((key) => window.offered(key) && !(key === "declare" && declaring));
  const other = want ?? ["discard", "pass", "sit-false", "pull-0"].find(window.offered);
  if (other) return window.offered(other).click();
  const tiles = [...document.querySelectorAll(".hand .tilebtn:not([aria-disabled])")];
  if (window.mine() && tiles.length) window.press(tiles.at(-1));
};

/** Plays on until it is stopped. */
window.playOn = (rare) => {
  window.playing = setInterval(() => window.move(rare), 40);
};

/** Plays on, from round to round, to a turn of mine with this number of tiles in the rows, or laid there `inAll`:
 * nobody else can move then. */
window.playUntil = (discards, inAll) => {
  window.reached = false;
  let before = 0;
  let laid = 0;
  window.playing = setInterval(() => {
    if (window.wentOn()) return;
    const now = document.querySelectorAll(".river svg").length;
    laid += Math.max(0, now - before);
    before = now;
    if ((inAll ? laid : now) < discards || !window.mine()) return window.move(true);
    clearInterval(window.playing);
    window.reached = true;
  }, 40);
};
