// @ts-check
/**
 * REST and the signed-in person. Tokens live in local storage and are refreshed by rotation, one refresh at a time over
 * all tabs (a lock), because a refresh token serves once. Errors are `Refusal`s with the server's code.
 */
import { learn } from "./i18n.js";
import { Refusal } from "./socket.js";
import { faceOf } from "./variants/generic.js";

const KEY = "quezhuo.session";

/** @typedef {{user: any, access_token: string, refresh_token: string, expires_at: number, device_token?: string}} Session */

/** @returns {Session|null} */
export function session() {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "null");
  } catch {
    return null;
  }
}

/** @param {any} answer @returns {Session} */
function keep(answer) {
  const before = session();
  const next = {
    ...before,
    ...answer,
    device_token: answer.device_token ?? before?.device_token,
    expires_at: Date.now() + 1000 * (answer.expires_in ?? 600),
  };
  localStorage.setItem(KEY, JSON.stringify(next));
  return next;
}

/** Keeps a changed profile. @param {any} user */
export const keepUser = (user) => localStorage.setItem(KEY, JSON.stringify({ ...session(), user }));

/**
 * @param {string} method @param {string} path @param {any} [body] @param {string} [token]
 * @returns {Promise<any>}
 */
async function call(method, path, body, token) {
  const headers = /** @type {Record<string, string>} */ ({ accept: "application/json" });
  if (token) headers.authorization = `Bearer ${token}`;
  if (body !== undefined) headers["content-type"] = "application/json";
  const response = await fetch(path, { method, headers, body: body === undefined ? undefined : JSON.stringify(body) });
  if (response.status === 204) return null;
  const data = await response.json().catch(() => null);
  if (response.ok) return data;
  const error = data?.error ?? { code: `http_${response.status}`, message: response.statusText };
  throw new Refusal({
    code: error.code,
    message: error.message,
    left_ms: error.left_ms,
    detail: { field: error.field, reason: error.reason, limit: error.limit, status: response.status },
  });
}

/** One refresh at a time over all tabs; over plain HTTP, where there are no locks, in this tab. @type {<T>(work: () => Promise<T>) => Promise<T>} */
const alone = (work) => {
  if (navigator.locks) return /** @type {Promise<any>} */ (navigator.locks.request("quezhuo.refresh", work));
  const mine = queue.then(work, work);
  queue = mine.catch(() => undefined);
  return mine;
};
/** @type {Promise<any>} */
let queue = Promise.resolve();

/** A valid session: the kept one, refreshed when due, else a new guest's. @returns {Promise<Session>} */
export async function signIn() {
  const kept = session();
  if (kept && kept.expires_at - Date.now() > 30_000) return kept;
  return alone(async () => {
    const now = session();
    if (now && now.expires_at - Date.now() > 30_000) return now;
    if (now?.refresh_token) {
      try {
        return keep(await call("POST", "/v1/tokens/refresh", { refresh_token: now.refresh_token }));
      } catch (error) {
        if (!(error instanceof Refusal) || error.detail?.status >= 500) throw error;
      }
    }
    const device = now?.device_token;
    return keep(await call("POST", "/v1/guests", device ? { device_token: device } : {}));
  });
}

/** Signs in with name and password; this device may do so by itself from then on. @param {{name: string, password: string}} body */
export async function signInAs(body) {
  const device = session()?.device_token;
  return keep(await call("POST", "/v1/sessions", { ...body, ...(device ? { device_token: device } : {}) }));
}

/** Ends the session here. The device forgets an account; a guest can return by their device only. */
export async function signOut() {
  const now = session();
  if (now) await call("POST", "/v1/tokens/revoke", { refresh_token: now.refresh_token }).catch(() => undefined);
  localStorage.removeItem(KEY);
}

/** @param {string} method @param {string} path @param {any} [body] @returns {Promise<any>} */
export async function rest(method, path, body) {
  const { access_token } = await signIn();
  try {
    return await call(method, `/v1${path}`, body, access_token);
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== "not_signed_in") throw error;
    expire(access_token);
    return call(method, `/v1${path}`, body, (await signIn()).access_token);
  }
}

/** A token that the server does not take any more is not used again. @param {string} token */
function expire(token) {
  const now = session();
  if (now?.access_token === token) localStorage.setItem(KEY, JSON.stringify({ ...now, expires_at: 0 }));
}

/** A call with a token of its own, as operators have. @param {string} token @param {string} method @param {string} path @param {any} [body] */
export const callAs = (token, method, path, body) => call(method, `/v1${path}`, body, token || undefined);

export const get = (/** @type {string} */ path) => rest("GET", path);
export const post = (/** @type {string} */ path, /** @type {any} */ body = {}) => rest("POST", path, body);
export const patch = (/** @type {string} */ path, /** @type {any} */ body) => rest("PATCH", path, body);
export const remove = (/** @type {string} */ path, /** @type {any} */ body = undefined) => rest("DELETE", path, body);

/** @type {Promise<{variants: any[], settings: any[]}>|null} */
let described = null;
/** The games and the settings of a table, as the server describes them; fetched once, with the faces of the games. */
const description = () =>
  (described ??= call("GET", "/v1/variants")
    .then(async (told) => {
      await Promise.all(told.variants.map((/** @type {any} */ v) => faceOf(v.slug)));
      for (const v of told.variants) learn({ ...v.names_en, [v.name_zh]: v.name_en });
      return told;
    })
    .catch((error) => {
      described = null;
      throw error;
    }));
export const allVariants = async () => (await description()).variants;
export const tableSettings = async () => (await description()).settings;

/** One variant's description. @param {string} slug */
export const variantMeta = async (slug) => (await allVariants()).find((/** @type {any} */ v) => v.slug === slug);

/** The Chinese name of a variant. @param {any[]} variants @param {string} slug */
export const variantName = (variants, slug) => variants.find((v) => v.slug === slug)?.name_zh ?? slug;
