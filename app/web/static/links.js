// @ts-check
/** Links to give to others: they have a preview, so they are paths and no hashes; the page turns them into its own routes. */
import { h } from "./dom.js";
import { t } from "./i18n.js";
import { copied } from "./speak.js";

const PATHS = /^\/(join|replay)\/([A-Za-z0-9]+)$/;

/** A link that was opened by its path becomes a route of the page. */
export function takePath() {
  const found = PATHS.exec(location.pathname);
  if (found) history.replaceState(null, "", `/#/${found[1]}/${found[2]}${location.search}`);
}

/** Hands a file to the device, as pretty JSON. @param {string} name @param {any} data */
export function download(name, data) {
  const blob = new Blob([JSON.stringify(data, null, 1)], { type: "application/json" });
  const link = h("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.getAttribute("href") ?? ""), 60_000);
}

/** @param {string} code six digits */
export const roomLink = (code) => `${location.origin}/join/${code}`;

/** @param {string} code of a shared round @param {{step?: number, seat?: number}} [at] */
export function replayLink(code, { step, seat } = {}) {
  const at = new URLSearchParams(Object.entries({ step, seat }).flatMap(([k, v]) => (v === undefined ? [] : [[k, String(v)]])));
  return `${location.origin}/replay/${code}${at.size ? `?${at}` : ""}`;
}

/** What somebody pastes into a page of their own. @param {string} code of a shared round @param {number} [seat] */
export const embedding = (code, seat) =>
  `<iframe src="${location.origin}/embed/${code}${seat === undefined ? "" : `?seat=${seat}`}" width="720" height="420" allowfullscreen></iframe>`;

/**
 * Hands a link to the device's own sheet of apps, on phones; elsewhere it is copied. @param {string} url
 * @param {{title: string, done: string}} told the title, and the text shown when the link is on the clipboard
 */
export async function share(url, { title, done }) {
  const sheet = matchMedia("(pointer: coarse)").matches && navigator.canShare?.({ url });
  if (!sheet) return copied(url, done);
  try {
    await navigator.share({ title: `${title} · ${t("雀桌")}`, url });
  } catch (error) {
    if (!(error instanceof DOMException && error.name === "AbortError")) await copied(url, done);
  }
}
