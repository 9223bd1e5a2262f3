// @ts-check
/** 等级: the season's best, my level and my neighbours. Levels and thresholds are the variant's data. */
import { allVariants, get, variantMeta } from "../api.js";
import { portrait } from "../avatar.js";
import { grouped, h } from "../dom.js";
import { t } from "../i18n.js";
import { sprite, tile } from "../tiles.js";
import { knownFace } from "../variants/generic.js";
import { head } from "./history.js";

/** A level as a tile. @param {import("../variants/generic.js").Face} face @param {number} level @param {string} name */
function badge(face, level, name) {
  const shown = face.levelTile(name);
  return h(
    "span",
    { class: "badge-tile", role: "img", "aria-label": t("{0} 级 {1}", level, t(name)) },
    tile(shown.tile, { label: "", mark: shown.mark }),
  );
}

/** The first game that has a ladder. */
const firstLadder = async () => (await allVariants()).find((/** @type {any} */ v) => v.ladder.length)?.slug;

/** @param {HTMLElement} root @param {string} [asked] the game */
export async function openLadder(root, asked) {
  sprite();
  const slug = asked ?? (await firstLadder());
  const query = new URLSearchParams(location.hash.split("?")[1] ?? "");
  const season = query.get("season") ?? "";
  const ask = season ? `?season=${encodeURIComponent(season)}` : "";
  const [best, mine, meta] = await Promise.all([
    get(`/ladder/${slug}${ask}${ask ? "&" : "?"}limit=50`),
    get(`/ladder/${slug}/me${ask}`),
    variantMeta(slug),
  ]);
  const look = knownFace(slug);
  const next = meta?.ladder.find((/** @type {any} */ row) => row.threshold !== null && row.threshold > mine.points);
  const tab = (/** @type {string} */ label, /** @type {string} */ value) =>
    h("a", {
      class: "tab-link",
      href: `#/ladder/${slug}${value ? `?season=${value}` : ""}`,
      "aria-current": season === value ? "page" : null,
      text: t(label),
    });
  root.replaceChildren(
    h(
      "main",
      { class: "page" },
      head(t("等级")),
      h(
        "section",
        { class: "card my-level", "aria-label": t("我的等级") },
        badge(look, mine.level, mine.level_name),
        h(
          "span",
          { class: "g" },
          h("b", { text: t(mine.level_name) }),
          h("small", {
            class: "num",
            text: `${t("积分")} ${grouped(mine.points)}${next ? ` · ${t("还差 {0} 到{1}", grouped(next.threshold - mine.points), t(next.name))}` : ""}`,
          }),
        ),
        next
          ? h("meter", {
              min: 0,
              max: next.threshold,
              value: Math.max(0, mine.points),
              "aria-label": t("还差 {0} 到{1}", grouped(next.threshold - mine.points), t(next.name)),
            })
          : null,
        mine.me ? h("span", { class: "num place", text: t("第 {0} 名", mine.me.rank) }) : null,
      ),
      h(
        "section",
        { class: "card", "aria-label": t("排行") },
        h("nav", { class: "tab-links", "aria-label": t("赛季") }, tab("本季", ""), tab("总榜", "total")),
        table(look, best.items, mine.me?.user_id),
        best.items.some((/** @type {any} */ r) => r.user_id === mine.me?.user_id) || !mine.neighbours.length
          ? null
          : [h("h2", { text: t("我的附近") }), table(look, around(mine), mine.me?.user_id)],
      ),
      h(
        "section",
        { class: "card", "aria-label": t("等级表") },
        h("h2", { text: t("等级表") }),
        h("p", { class: "none", text: look.ladderNote(t(meta?.name_zh ?? "")) }),
        h(
          "ul",
          { class: "levels" },
          (meta?.ladder ?? []).map((/** @type {any} */ row) =>
            h(
              "li",
              { class: row.level === mine.level ? "me" : "" },
              badge(look, row.level, row.name),
              h("b", { text: t(row.name) }),
              h("small", { class: "num", text: row.threshold === null ? "" : grouped(row.threshold) }),
            ),
          ),
        ),
      ),
    ),
  );
}

/** Me among my neighbours. @param {any} mine */
const around = (mine) => [...mine.neighbours, mine.me].sort((a, b) => a.rank - b.rank);

/** @param {import("../variants/generic.js").Face} look @param {any[]} rows @param {string|undefined} me */
function table(look, rows, me) {
  if (!rows.length) return h("p", { class: "none", text: t("还没有人上榜。") });
  return h(
    "table",
    { class: "num" },
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        h("th", { text: t("名次") }),
        h("th", { text: t("名字") }),
        h("th", { text: t("等级") }),
        h("th", { class: "n", text: t("积分") }),
      ),
    ),
    h(
      "tbody",
      {},
      rows.map((r) =>
        h(
          "tr",
          { class: r.user_id === me ? "me-row-mark" : "" },
          h("td", { text: r.rank }),
          h("td", {}, h("span", { class: "who-cell" }, h("i", { "aria-hidden": "true" }, portrait(r.avatar)), h("span", { text: r.name }))),
          h("td", {}, h("span", { class: "level" }, badge(look, r.level, r.level_name), t(r.level_name))),
          h("td", { class: "n", text: grouped(r.points) }),
        ),
      ),
    ),
  );
}
