// @ts-check
/**
 * The worker beside the page: keeps the page and its parts, so that it opens without a network, with a notice about it,
 * and shows notices.
 *
 * The page is asked for first and taken from the store only when nobody answers; parts carry the version of all of them in
 * their path and never change. Nothing of a table, a person or the API is kept.
 */

const worker = /** @type {any} */ (self);
const STORE = "quezhuo";
const PAGE = "/";
const PART = /^\/static\/v-[0-9a-f]+\//;
const OURS = /\/static\/v-[0-9a-f]+\/[^"]+/g;
/** The page for every link into it. */
const LINKS = /^\/(?:|join\/\d{6}|replay\/[a-z0-9]{12})$/;

worker.addEventListener("install", (/** @type {any} */ event) => {
  event.waitUntil(stock().then(() => worker.skipWaiting()));
});

worker.addEventListener("activate", (/** @type {any} */ event) => {
  event.waitUntil(worker.clients.claim());
});

/** Takes the page as it is now, and all parts that it names. */
async function stock() {
  const store = await caches.open(STORE);
  const page = await fetch(PAGE, { cache: "no-cache" });
  if (!page.ok) throw new Error(`the page answered ${page.status}`);
  const parts = (await page.clone().text()).match(OURS) ?? [];
  await store.addAll([...new Set(parts)]);
  await store.put(PAGE, page);
  await tidy(store, parts[0]);
}

/** Parts of older versions go. @param {Cache} store @param {string|undefined} part one of the version that stays */
async function tidy(store, part) {
  const version = part?.split("/")[2];
  for (const request of await store.keys()) {
    const { pathname } = new URL(request.url);
    if (PART.test(pathname) && pathname.split("/")[2] !== version) await store.delete(request);
  }
}

/** The page from the server; from the store when nobody answers. @param {Request} request */
async function page(request) {
  try {
    return await fetch(request);
  } catch (error) {
    const kept = await caches.match(PAGE);
    if (kept) return kept;
    throw error;
  }
}

/** A part from the store, else from the server, and kept. @param {Request} request */
async function part(request) {
  const store = await caches.open(STORE);
  const kept = await store.match(request);
  if (kept) return kept;
  const answer = await fetch(request);
  if (answer.ok) await store.put(request, answer.clone());
  return answer;
}

worker.addEventListener("fetch", (/** @type {any} */ event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== worker.location.origin) return;
  if (request.mode === "navigate" && LINKS.test(pathname)) event.respondWith(page(request));
  else if (PART.test(pathname)) event.respondWith(part(request));
});

/** A page of a newer version is open: its parts are taken, those before it go. */
worker.addEventListener("message", (/** @type {any} */ event) => {
  if (event.data === "stock") event.waitUntil(stock().catch(() => undefined));
});

/** A tap on a notice opens its table. */
worker.addEventListener("notificationclick", (/** @type {any} */ event) => {
  event.notification.close();
  const url = event.notification.data ?? PAGE;
  event.waitUntil(
    worker.clients
      .matchAll({ type: "window", includeUncontrolled: true })
      .then((/** @type {any[]} */ open) => (open[0] ? open[0].focus() : worker.clients.openWindow(url))),
  );
});
