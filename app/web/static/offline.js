// @ts-check
/** Without a network: says so at the top of every page, looks by itself whether the server answers again, installs the worker. */
import { h } from "./dom.js";
import { t } from "./i18n.js";

const LOOK_MS = 2_000;

/** Does the server answer? */
const answers = () =>
  fetch("/healthz", { cache: "no-store" }).then(
    (answer) => answer.ok,
    () => false,
  );

/** The one line; at a table the bar says it. @param {boolean} lost */
function show(lost) {
  const line = document.querySelector(".offline");
  if (!lost) line?.remove();
  else if (!line)
    document.body.prepend(
      h("p", { class: "offline", role: "status", text: t(navigator.onLine ? "连不上服务器，恢复后自动继续" : "没有网络，恢复后自动继续") }),
    );
}

let looking = 0;
/** @type {Set<() => void>} */
const waiting = new Set();

/** Runs once the server answers again, and says meanwhile that it does not. @param {() => void} run @returns {() => void} waits no more */
export function whenBack(run) {
  waiting.add(run);
  show(true);
  look();
  return () => {
    waiting.delete(run);
    if (!waiting.size) show(false);
  };
}

async function look() {
  clearTimeout(looking);
  if (!waiting.size) return;
  if (!(await answers())) {
    looking = setTimeout(look, LOOK_MS);
    return;
  }
  show(false);
  const all = [...waiting];
  waiting.clear();
  for (const run of all) run();
}

addEventListener("online", look);
addEventListener("offline", () => whenBack(() => undefined));

/** Keeps the page for the time without a network. Browsers allow that over TLS and on this machine only. */
export async function install() {
  const workers = navigator.serviceWorker;
  if (!workers) return;
  const kept = workers.controller;
  const registration = await workers.register("/sw.js").catch(() => null);
  if (kept) registration?.active?.postMessage("stock");
}
