// @ts-check
/** 坐庄记录: who dealt, what was chosen before the deal, and what it brought; mine, or everybody's of a circle. */
import { allVariants, get, session, variantName } from "../api.js";
import { h } from "../dom.js";
import { t } from "../i18n.js";
import { gameTile } from "../lobby/games.js";
import { sprite } from "../tiles.js";
import { knownFace } from "../variants/generic.js";
import { change, dayLine, filterBy, gamesOf, head, headTo, OUTCOMES, pastTabs } from "./history.js";
import { paged } from "./paged.js";

/** The game that was looked at last. */
let variant = "";

/** @param {HTMLElement} root @param {string} [circle] */
export async function openDealings(root, circle) {
  sprite();
  const path = circle ? `/circles/${encodeURIComponent(circle)}` : "/me";
  const [variants, about, people] = await Promise.all([allVariants(), circle ? get(path) : null, circle ? namesOf(path) : null]);
  const list = paged(
    (cursor) => {
      const asked = new URLSearchParams({ limit: "24", ...(variant ? { variant } : {}), ...(cursor ? { cursor } : {}) });
      return get(`${path}/dealings?${asked}`);
    },
    (row, before) => [dayLine(row.ended_at, before?.ended_at), dealingRow(row, variants, people)],
    () => [h("p", { class: "none", text: t("还没有打过的局。") })],
  );
  const choose = (/** @type {string} */ value) => {
    variant = value;
    list.start();
  };
  root.replaceChildren(
    h(
      "main",
      { class: "page" },
      about ? headTo(`#/circle/${about.id}`, `${about.name} · ${t("战绩")}`) : head(t("战绩")),
      pastTabs("dealings", circle),
      h(
        "section",
        { class: "card", "aria-label": t("坐庄记录") },
        h("div", { class: "filters" }, filterBy("玩法", gamesOf(variants), variant, choose)),
        list.element,
      ),
    ),
  );
  await list.start();
}

/** Names of a circle's people by id. @param {string} path @returns {Promise<Record<string, string>>} */
async function namesOf(path) {
  const { items } = await get(`${path}/members?limit=100`);
  return Object.fromEntries(items.map((/** @type {any} */ m) => [m.id, m.name]));
}

/** @param {any} row @param {any[]} variants @param {Record<string, string>|null} people */
function dealingRow(row, variants, people) {
  const game = t(variantName(variants, row.variant));
  const nth = t("第 {0} 局", row.round_no);
  const who = people && (row.user_id === session()?.user.id ? t("我") : (people[row.user_id] ?? t("电脑或已离开")));
  const said = knownFace(row.variant).dealing(row);
  const result = row.won ? t("胡了") : t(row.outcome === "won" ? "没胡" : (OUTCOMES[row.outcome] ?? row.outcome));
  return h(
    "a",
    { class: "row-link dealing", href: `#/match/${row.match_id}` },
    people ? null : h("span", { class: "tile-mark", "aria-hidden": "true" }, gameTile(row.variant)),
    h(
      "span",
      { class: "g" },
      h("b", { text: who ?? game }),
      h("small", { class: "num", text: [who ? game : null, nth, result].filter(Boolean).join(" · ") }),
    ),
    h(
      "span",
      { class: "said" },
      h("span", { class: `chip ${row.is_dealer ? "hot" : ""}`, text: t(row.is_dealer ? "庄" : "闲") }),
      said.map((text) => h("span", { class: "chip", text: t(text) })),
    ),
    change(row.net),
    h("span", { class: "chev", "aria-hidden": "true", text: "›" }),
  );
}
