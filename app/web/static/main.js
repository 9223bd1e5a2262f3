// @ts-check
/** The router: one page, hash routes, each screen loaded when it is first wanted. */
import { h } from "./dom.js";
import { t } from "./i18n.js";
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
  ladder: async () => (await import("./pages/ladder.js")).openLadder,
  me: async () => (await import("./pages/me.js")).openMe,
  replay: async () => (await import("./pages/replay.js")).openReplay,
  admin: async () => (await import("./pages/admin.js")).openAdmin,
};

const root = /** @type {HTMLElement} */ (document.getElementById("root"));
/** @type {(() => void)|void} */
let leave;
let turn = 0;

async function show() {
  const mine = ++turn;
  const [path] = location.hash.slice(1).split("?");
  const [name, ...parts] = path.split("/").filter(Boolean).map(decodeURIComponent);
  leave?.();
  leave = undefined;
  try {
    const screen = await (SCREENS[name ?? ""] ?? SCREENS[""])();
    if (mine !== turn) return;
    const left = await screen(root, ...parts);
    if (mine === turn) leave = left;
    else left?.();
  } catch (error) {
    if (mine === turn) failed(error);
  }
  scrollTo(0, 0);
}

/** @param {unknown} error */
function failed(error) {
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

addEventListener("hashchange", show);
show();
