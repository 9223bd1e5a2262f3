// @ts-check
/**
 * REST and the signed-in person. Tokens are refreshed by rotation, one refresh at a time, because a refresh token serves
 * once. Errors are `Refusal`s with the server's code. Part of `@quezhuo/client` (`app/sdk/js`): knows no page; where the
 * session is kept is given to it.
 */
import { Refusal } from "./socket.js";

/** @typedef {{user: any, access_token: string, refresh_token: string, expires_at: number, device_token?: string}} Session */
/** Keeps one text, the session; null: nothing is kept. @typedef {{read: () => string|null, write: (text: string|null) => void}} Store */
/** Does one work at a time. @typedef {<T>(work: () => Promise<T>) => Promise<T>} Alone */

/** Tokens that end sooner than this are refreshed first. */
const SOON_MS = 30_000;

/** A store that forgets with the program. @returns {Store} */
function memory() {
  /** @type {string|null} */
  let kept = null;
  return { read: () => kept, write: (text) => void (kept = text) };
}

/** One after another, within this program. @returns {Alone} */
function inTurn() {
  /** @type {Promise<any>} */
  let queue = Promise.resolve();
  return (work) => {
    const mine = queue.then(work, work);
    queue = mine.catch(() => undefined);
    return mine;
  };
}

/** A server's REST, as one person. */
export class Rest {
  /** @param {{origin?: string, store?: Store, alone?: Alone}} [options] `origin`: the server's; empty: the page's own */
  constructor({ origin = "", store = memory(), alone = inTurn() } = {}) {
    this.origin = origin.replace(/\/+$/, "");
    this.store = store;
    this.alone = alone;
  }

  /** @returns {Session|null} */
  session() {
    try {
      return JSON.parse(this.store.read() ?? "null");
    } catch {
      return null;
    }
  }

  /** @param {any} answer @returns {Session} */
  keep(answer) {
    const before = this.session();
    const next = {
      ...before,
      ...answer,
      device_token: answer.device_token ?? before?.device_token,
      expires_at: Date.now() + 1000 * (answer.expires_in ?? 600),
    };
    this.store.write(JSON.stringify(next));
    return next;
  }

  /** Keeps a changed profile. @param {any} user */
  keepUser(user) {
    this.store.write(JSON.stringify({ ...this.session(), user }));
  }

  /**
   * @param {string} method @param {string} path @param {any} [body] @param {string} [token]
   * @returns {Promise<any>}
   */
  async call(method, path, body, token) {
    const headers = /** @type {Record<string, string>} */ ({ accept: "application/json" });
    if (token) headers.authorization = `Bearer ${token}`;
    if (body !== undefined) headers["content-type"] = "application/json";
    const sent = body === undefined ? undefined : JSON.stringify(body);
    const response = await fetch(`${this.origin}/v1${path}`, { method, headers, body: sent });
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

  /** A valid session: the kept one, refreshed when due, else a new guest's. @returns {Promise<Session>} */
  async signIn() {
    const kept = this.session();
    if (kept && kept.expires_at - Date.now() > SOON_MS) return kept;
    return this.alone(async () => {
      const now = this.session();
      if (now && now.expires_at - Date.now() > SOON_MS) return now;
      if (now?.refresh_token) {
        try {
          return this.keep(await this.call("POST", "/tokens/refresh", { refresh_token: now.refresh_token }));
        } catch (error) {
          if (!(error instanceof Refusal) || error.detail?.status >= 500) throw error;
        }
      }
      const device = now?.device_token;
      return this.keep(await this.call("POST", "/guests", device ? { device_token: device } : {}));
    });
  }

  /** Signs in with name and password; this device may do so by itself from then on. @param {{name: string, password: string}} body */
  async signInAs(body) {
    const device = this.session()?.device_token;
    return this.keep(await this.call("POST", "/sessions", { ...body, ...(device ? { device_token: device } : {}) }));
  }

  /** Ends the session here. The device forgets an account; a guest can return by their device only. */
  async signOut() {
    const now = this.session();
    if (now) await this.call("POST", "/tokens/revoke", { refresh_token: now.refresh_token }).catch(() => undefined);
    this.store.write(null);
  }

  /** A call as the signed-in person. @param {string} method @param {string} path below `/v1` @param {any} [body] @returns {Promise<any>} */
  async rest(method, path, body) {
    const { access_token } = await this.signIn();
    try {
      return await this.call(method, path, body, access_token);
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== "not_signed_in") throw error;
      this.expire(access_token);
      return this.call(method, path, body, (await this.signIn()).access_token);
    }
  }

  /** A token that the server does not take any more is not used again. @param {string} token */
  expire(token) {
    const now = this.session();
    if (now?.access_token === token) this.store.write(JSON.stringify({ ...now, expires_at: 0 }));
  }

  /** A call with a token of its own, as operators have; empty: nobody's. @param {string} token @param {string} method @param {string} path @param {any} [body] */
  callAs(token, method, path, body) {
    return this.call(method, path, body, token || undefined);
  }

  /** @param {string} path */
  get(path) {
    return this.rest("GET", path);
  }

  /** @param {string} path @param {any} [body] */
  post(path, body = {}) {
    return this.rest("POST", path, body);
  }

  /** @param {string} path @param {any} body */
  patch(path, body) {
    return this.rest("PATCH", path, body);
  }

  /** @param {string} path @param {any} [body] */
  remove(path, body) {
    return this.rest("DELETE", path, body);
  }
}
