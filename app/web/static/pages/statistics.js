// @ts-check
/** 统计: what I played and won, per game. */
import { allVariants, get, variantName } from "../api.js";
import { h, signed } from "../dom.js";
import { t } from "../i18n.js";
import { gameTile } from "../lobby/games.js";
import { sprite } from "../tiles.js";
import { change, head, pastTabs } from "./history.js";

/** @param {HTMLElement} root */
export async function openStatistics(root) {
  sprite();
  const [variants, { items }] = await Promise.all([allVariants(), get("/me/statistics")]);
  root.replaceChildren(
    h(
      "main",
      { class: "page" },
      head(t("战绩")),
      pastTabs("statistics"),
      items.length
        ? h(
            "div",
            { class: "stats" },
            items.map((/** @type {any} */ r) => statisticsCard(r, variants)),
          )
        : h(
            "section",
            { class: "card", "aria-label": t("统计") },
            h("p", { class: "none", text: t("打完一局，这里就有统计。") }),
            h("div", { class: "tail" }, h("a", { class: "btn sm", href: "#/", text: t("回大厅") })),
          ),
    ),
  );
}

/** @param {any} r @param {any[]} variants */
function statisticsCard(r, variants) {
  const names = variants.find((v) => v.slug === r.variant)?.pattern_names ?? {};
  const percent = Math.round(r.win_rate * 100);
  const title = t(variantName(variants, r.variant));
  return h(
    "section",
    { class: "card stat", "aria-label": title },
    h("h2", {}, h("span", { class: "tile-mark", "aria-hidden": "true" }, gameTile(r.variant)), title, change(r.net)),
    h(
      "div",
      { class: "rate" },
      h("span", { class: "num", text: `${t("胡率")} ${percent}%` }),
      h("meter", { min: 0, max: 100, value: percent, "aria-label": t("胡率") }),
    ),
    h(
      "dl",
      {},
      [
        ["局数", r.rounds],
        ["胡", r.wins],
        ["坐庄局", r.dealer_rounds],
        ["最常胡", r.favourite ? `${t(names[r.favourite.pattern] ?? r.favourite.pattern)} ×${r.favourite.times}` : "—"],
        [
          "最大一局",
          r.biggest?.net > 0 ? h("a", { href: `#/match/${r.biggest.round_id.replace(/\.\d+$/, "")}`, text: signed(r.biggest.net) }) : "—",
        ],
      ].map(([k, v]) => h("div", {}, h("dt", { text: t(String(k)) }), h("dd", { class: "num" }, typeof v === "number" ? String(v) : v))),
    ),
  );
}
