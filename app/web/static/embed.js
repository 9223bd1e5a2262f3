// @ts-check
/** A shared replay inside a page of somebody else (`/embed/<code>?seat=&step=`): no session, no other screen. */
import { showShared } from "./pages/replay.js";
import { refusalText } from "./refusals.js";
import { h } from "./dom.js";
import "./look.js";

const root = /** @type {HTMLElement} */ (document.getElementById("root"));
const code = location.pathname.split("/")[2] ?? "";

showShared(root, code, new URLSearchParams(location.search)).catch((error) => {
  root.replaceChildren(h("main", { class: "gone" }, h("p", { role: "alert", text: refusalText(error) })));
});
