// @ts-check
/** The router: one page, hash routes, each screen loaded when it is first wanted. */
import { h } from "./dom.js";
import { t } from "./i18n.js";
import { takePath } from "./links.js";
import "./look.js";
import { install, whenBack } from "./offline.js";
import { refusalText } from "./refusals.js";
import { Refusal } from "./socket.js";

/** @typedef {(root: HTMLElement, ...parts: string[]) => Promise<(() => void)|void>} Screen */

/** Route → screen. The first screen is the lobby. @type {Record<string, () => Promise<Screen>>} */
const SCREENS = {
  "": async () => (await import("./lobby/lobby.js")).openLobby,
  table: async () => (await import("./table/screen.js")).openTable,
  join: async () => (await import("./lobby/join.js")).openLink,
  circle: async () => (await import("./lobby/circle.js")).openCircle,
  history: async () => (await import("./pages/history.js")).openHistory,
  match: async () => (await import("./pages/history.js")).openMatch,
  statistics: async () => (await import("./pages/statistics.js")).openStatistics,
  dealings: async () => (await import("./pages/dealings.js")).openDealings,
  ladder: async () => (await import("./pages/ladder.js")).openLadder,
  glossary: async () => (await import("./pages/glossary.js")).openGlossary,
  rules: async () => (await import("./pages/rules.js")).openRules,
  me: async () => (await import("./pages/me.js")).openMe,
  replay: async () => (await import("./pages/replay.js")).openReplay,
  admin: async () => (await import("./pages/admin.js")).openAdmin,
};

const root = /** @type {HTMLElement} */ (document.getElementById("root"));
/** @type {(() => void)|void} */
let leave;
let turn = 0;
const SLOW_MS = 250;

/** Shows that the next screen is on its way, once that takes a while. @param {number} mine */
const slow = (mine) => setTimeout(() => mine === turn && document.body.classList.add("coming"), SLOW_MS);

/** The subject of the page, for the window's title and for screen readers. */
function entitle() {
  const title = root.querySelector("h1");
  const text = title?.textContent ?? "";
  document.title = text && text !== t("雀桌") ? `${text} · ${t("雀桌")}` : t("雀桌");
  if (!title || turn === 1) return;
  title.tabIndex = -1;
  title.focus({ preventScroll: true });
}

async function show() {
  const mine = ++turn;
  const wait = slow(mine);
  const [path] = location.hash.slice(1).split("?");
  const [name, ...parts] = path.split("/").filter(Boolean).map(decodeURIComponent);
  leave?.();
  leave = undefined;
  try {
    const screen = await (SCREENS[name ?? ""] ?? SCREENS[""])();
    if (mine !== turn) return;
    const left = await screen(root, ...parts);
    if (mine !== turn) return left?.();
    leave = left;
    entitle();
  } catch (error) {
    if (mine === turn) failed(error);
  } finally {
    clearTimeout(wait);
    if (mine === turn) document.body.classList.remove("coming");
  }
  scrollTo(0, 0);
}

/** Shows the reason why a screen cannot be shown. If the server did not answer, the screen comes by itself as soon as
 * it does. @param {unknown} error */
function failed(error) {
  if (!(error instanceof Refusal)) leave = whenBack(show);
  root.replaceChildren(
    h(
      "main",
      { class: "gone" },
      h("p", { role: "alert", text: refusalText(error) }),
      h("button", { class: "btn main", type: "button", text: t("重试"), on: { click: show } }),
      h("a", { class: "btn", href: "#/", text: t("回大厅") }),
    ),
  );
  if (!(error instanceof Refusal)) console.warn(error);
}

takePath();
addEventListener("hashchange", show);
show().then(install);
