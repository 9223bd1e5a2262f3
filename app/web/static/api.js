// @ts-check
/**
 * REST of this page: `rest.js` with the session in local storage, refreshed by one tab at a time (a lock), and what can
 * be played as the server describes it. Errors are `Refusal`s with the server's code.
 */
import { learn } from "./i18n.js";
import { Rest } from "./rest.js";
import { faceOf } from "./variants/generic.js";

const KEY = "quezhuo.session";

/** @typedef {import("./rest.js").Session} Session */

/** One refresh at a time over all tabs; over plain HTTP, where there are no locks, in this tab. @type {import("./rest.js").Alone|undefined} */
const alone = navigator.locks && ((work) => /** @type {Promise<any>} */ (navigator.locks.request("quezhuo.refresh", work)));

const here = new Rest({
  store: {
    read: () => localStorage.getItem(KEY),
    write: (text) => (text === null ? localStorage.removeItem(KEY) : localStorage.setItem(KEY, text)),
  },
  alone,
});

export const session = () => here.session();
/** Keeps a changed profile. @param {any} user */
export const keepUser = (user) => here.keepUser(user);
export const signIn = () => here.signIn();
/** Signs in with name and password; this device may do so by itself from then on. @param {{name: string, password: string}} body */
export const signInAs = (body) => here.signInAs(body);
export const signOut = () => here.signOut();
/** A call with a token of its own, as operators have. @param {string} token @param {string} method @param {string} path @param {any} [body] */
export const callAs = (token, method, path, body) => here.callAs(token, method, path, body);

/** @param {string} method @param {string} path below `/v1` @param {any} [body] */
export const rest = (method, path, body) => here.rest(method, path, body);
export const get = (/** @type {string} */ path) => here.get(path);
export const post = (/** @type {string} */ path, /** @type {any} */ body = {}) => here.post(path, body);
export const patch = (/** @type {string} */ path, /** @type {any} */ body) => here.patch(path, body);
export const remove = (/** @type {string} */ path, /** @type {any} */ body = undefined) => here.remove(path, body);

/** @type {Promise<{variants: any[], settings: any[]}>|null} */
let described = null;
/** The games and the settings of a table, as the server describes them; fetched once, with the faces of the games. */
const description = () =>
  (described ??= here
    .callAs("", "GET", "/variants")
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
