// @ts-check
/** 战绩: matches with filters, mine or a circle's, and one match with its rounds, ledgers and replays. */
import { allVariants, get, post, session, variantMeta, variantName } from "../api.js";
import { h, icon, signed } from "../dom.js";
import { lang, t } from "../i18n.js";
import { download, replayLink, share } from "../links.js";
import { showRefusal } from "../refusals.js";
import { sprite } from "../tiles.js";
import { gameTile } from "../lobby/games.js";
import { faceOf } from "../variants/generic.js";
import { paged } from "./paged.js";

export const OUTCOMES = /** @type {Record<string, string>} */ ({ won: "胡", exhausted: "荒庄", void: "作废", failed: "出错" });
const ENDS = /** @type {Record<string, string>} */ ({
  finished: "打满",
  voted: "解散",
  host: "解散",
  operator: "运营关闭",
  left: "有人离开",
  deserted: "无人在线",
  failed: "出错",
});
const LOCALE = { zh: "zh-CN", "zh-Hant": "zh-TW", en: "en-GB" }[lang];
const DAY_MS = 86_400_000;

/** A moment as people say it. @param {string} iso */
export const moment = (iso) =>
  new Date(iso).toLocaleString(LOCALE, { month: "numeric", day: "numeric", hour: "2-digit", minute: "2-digit" });
/** @param {string} iso */
const clock = (iso) => new Date(iso).toLocaleTimeString(LOCALE, { hour: "2-digit", minute: "2-digit" });
/** @param {string} iso */
const day = (iso) => new Date(iso).toLocaleDateString(LOCALE, { month: "long", day: "numeric", weekday: "short" });

/** A line with the day where a new one begins. @param {string} iso @param {string|undefined} before */
export const dayLine = (iso, before) => (before && day(before) === day(iso) ? null : h("h3", { class: "day", text: day(iso) }));

/** A change with its sign and colour. @param {number|null} n @param {string} [tag] */
export const change = (n, tag = "b") =>
  h(tag, { class: `num n ${n && n > 0 ? "up" : n && n < 0 ? "dn" : ""}`, text: n === null ? "" : signed(n) });

/** @param {string} title @param {...any} more */
export const head = (title, ...more) => headTo("#/", title, ...more);

/** @param {string} back @param {string} title @param {...any} more */
export const headTo = (back, title, ...more) =>
  h("header", {}, h("a", { class: "icon", href: back, "aria-label": t("返回") }, icon("back")), h("h1", { text: title }), more);

/** Finished play in three views: one's own, or a circle's. @param {"history"|"statistics"|"dealings"} here @param
 * {string} [circle] */
export const pastTabs = (here, circle) =>
  h(
    "nav",
    { class: "tab-links", "aria-label": t("战绩") },
    /** @type {const} */ ([["history", "对局"], ...(circle ? [] : [["statistics", "统计"]]), ["dealings", "坐庄记录"]]).map(
      ([key, label]) =>
        h("a", {
          class: "tab-link",
          href: `#/${key}${circle ? `/${circle}` : ""}`,
          "aria-current": key === here ? "page" : null,
          text: t(label),
        }),
    ),
  );

/** A filter. @param {string} label @param {[string, string][]} values @param {string} value @param {(value: string) => void} changed */
export const filterBy = (label, values, value, changed) =>
  h(
    "select",
    { "aria-label": t(label), on: { change: (/** @type {any} */ e) => changed(e.target.value) } },
    values.map(([v, text]) => h("option", { value: v, text: t(text), selected: v === value })),
  );

/** Games to choose from. @param {any[]} variants @returns {[string, string][]} */
export const gamesOf = (variants) => [["", "全部玩法"], ...variants.map((v) => /** @type {[string, string]} */ ([v.slug, v.name_zh]))];

/** The chosen filters, kept while the page lives, so that one comes back to the same list. @type {Record<string,
 * {variant: string, outcome: string, days: string}>} */
const chosen = {};

/** @param {HTMLElement} root @param {string} [circle] */
export async function openHistory(root, circle) {
  sprite();
  const path = circle ? `/circles/${encodeURIComponent(circle)}` : "/me";
  const [variants, about] = await Promise.all([allVariants(), circle ? get(path) : null]);
  const filter = (chosen[path] ??= { variant: "", outcome: "", days: "" });
  const list = paged(
    (cursor) => get(`${path}/matches?${query(filter, cursor)}`),
    (m, before) => [dayLine(m.started_at, before?.started_at), matchRow(m, variants)],
    () =>
      filter.variant || filter.outcome || filter.days
        ? [h("p", { class: "none", text: t("没有这样的对局。") })]
        : [
            h("p", { class: "none", text: t("还没有打过。去打一局？") }),
            h("div", { class: "tail" }, h("a", { class: "btn sm", href: "#/", text: t("回大厅") })),
          ],
  );
  const by = (/** @type {"variant"|"outcome"|"days"} */ key) => (/** @type {string} */ value) => {
    filter[key] = value;
    list.start();
  };
  root.replaceChildren(
    h(
      "main",
      { class: "page" },
      about ? headTo(`#/circle/${about.id}`, `${about.name} · ${t("战绩")}`) : head(t("战绩")),
      pastTabs("history", circle),
      h(
        "section",
        { class: "card", "aria-label": t("对局") },
        h(
          "div",
          { class: "filters" },
          filterBy("玩法", gamesOf(variants), filter.variant, by("variant")),
          filterBy(
            "结果",
            [
              ["", "全部结果"],
              ["won", "有人胡"],
              ["exhausted", "荒庄"],
              ["void", "作废"],
            ],
            filter.outcome,
            by("outcome"),
          ),
          filterBy(
            "时间",
            [
              ["", "全部时间"],
              ["1", "近一天"],
              ["7", "近 7 天"],
              ["30", "近 30 天"],
            ],
            filter.days,
            by("days"),
          ),
        ),
        list.element,
      ),
    ),
  );
  await list.start();
}

/** @param {{variant: string, outcome: string, days: string}} filter @param {string} cursor */
function query({ variant, outcome, days }, cursor) {
  const asked = new URLSearchParams({ limit: "20" });
  if (variant) asked.set("variant", variant);
  if (outcome) asked.set("outcome", outcome);
  if (days) asked.set("since", new Date(Date.now() - Number(days) * DAY_MS).toISOString());
  if (cursor) asked.set("cursor", cursor);
  return asked;
}

/** @param {any} m @param {any[]} variants */
const matchRow = (m, variants) =>
  h(
    "a",
    { class: "row-link", href: `#/match/${m.id}` },
    h("span", { class: "tile-mark", "aria-hidden": "true" }, gameTile(m.variant)),
    h(
      "span",
      { class: "g" },
      h("b", { text: t(variantName(variants, m.variant)) }),
      h("small", {
        class: "num",
        text: [clock(m.started_at), `${m.rounds} ${t("局")}`, m.end_reason ? t(ENDS[m.end_reason] ?? m.end_reason) : t("进行中")].join(
          " · ",
        ),
      }),
    ),
    change(m.net),
    h("span", { class: "chev", "aria-hidden": "true", text: "›" }),
  );

/** One match. @param {HTMLElement} root @param {string} id */
export async function openMatch(root, id) {
  const match = await get(`/matches/${encodeURIComponent(id)}`);
  const [look, meta] = await Promise.all([faceOf(match.variant), variantMeta(match.variant)]);
  const names = { ...meta?.reason_names, ...meta?.pattern_names };
  const me = session()?.user.id;
  root.replaceChildren(
    h(
      "main",
      { class: "page" },
      h(
        "header",
        {},
        h("a", { class: "icon", href: "#/history", "aria-label": t("返回") }, icon("back")),
        h("h1", { text: t(meta?.name_zh ?? match.variant) }),
        h("span", { class: "chip num", text: moment(match.started_at) }),
        match.end_reason ? h("span", { class: "chip", text: t(ENDS[match.end_reason] ?? match.end_reason) }) : null,
        match.rounds.length
          ? h("button", { class: "btn sm quiet", type: "button", text: t("下载牌谱"), on: { click: () => takeAlong(match) } })
          : null,
      ),
      match.rounds.length > 1 ? totalsCard(match.rounds, me) : null,
      match.rounds.map((/** @type {any} */ r, /** @type {number} */ at) => roundCard(r, at, look, names, me)),
      match.rounds.length ? null : h("p", { class: "none", text: t("没有打完的局。") }),
    ),
  );
}

/** The records of a match as a file: `mj replay` shows it, `mj verify` checks it. @param {any} match */
const takeAlong = (match) =>
  get(`/matches/${encodeURIComponent(match.id)}/export`).then(
    (file) => download(`quezhuo-${match.variant}-${match.started_at.slice(0, 10)}.json`, file),
    showRefusal,
  );

/** Everybody's sum over the match, best first. @param {any[]} rounds @param {string|undefined} me */
function totalsCard(rounds, me) {
  /** @type {Map<string, {name: string, mine: boolean, net: number, wins: number}>} */
  const sums = new Map();
  for (const round of rounds) {
    for (const s of round.seats) {
      const key = s.user_id ?? `${s.seat}`;
      const name = s.bot ? `${t("电脑")}${s.seat + 1}` : s.name;
      const sum = sums.get(key) ?? { name, mine: Boolean(me) && s.user_id === me, net: 0, wins: 0 };
      sum.net += s.net;
      sum.wins += s.won ? 1 : 0;
      sums.set(key, sum);
    }
  }
  const rows = [...sums.values()].sort((a, b) => b.net - a.net);
  return h(
    "section",
    { class: "card totals", "aria-label": t("总分") },
    h("h2", { text: t("总分") }),
    h(
      "ol",
      {},
      rows.map((r) =>
        h(
          "li",
          { class: r.mine ? "me" : "" },
          h("span", { class: "place num", text: 1 + rows.filter((o) => o.net > r.net).length }),
          h("b", { text: r.mine ? t("我") : r.name }),
          h("small", { class: "num", text: `${t("胡")} ${r.wins}` }),
          change(r.net),
        ),
      ),
    ),
  );
}

/** @param {any} round @param {number} at @param {any} look @param {Record<string, string>} names @param {string|undefined} me */
function roundCard(round, at, look, names, me) {
  const who = (/** @type {number} */ seat) => {
    const { user_id, bot, name } = round.seats[seat];
    return user_id === me ? t("我") : bot ? `${t("电脑")}${seat + 1}` : name;
  };
  const ledger = h("div", {});
  const open = async (/** @type {any} */ e) => {
    if (!e.target.open || ledger.children.length) return;
    const { lines } = await get(`/rounds/${encodeURIComponent(round.id)}`);
    ledger.replaceChildren(
      lines.length
        ? h(
            "ul",
            { class: "rows" },
            lines.map((/** @type {any} */ l) =>
              h(
                "li",
                {},
                h(
                  "span",
                  { class: "g" },
                  h("b", { text: `${who(l.source)} → ${who(l.target)}` }),
                  h("small", { text: [look.why(l, names), look.how(l, null, names), l.clause].filter(Boolean).join(" · ") }),
                ),
                h("b", { class: "num", text: l.points }),
              ),
            ),
          )
        : h("p", { class: "none", text: t("没有分数变动") }),
    );
  };
  const give = async () => {
    try {
      const { code } = await post(`/rounds/${encodeURIComponent(round.id)}/share`);
      await share(replayLink(code), { title: t("回放"), done: t("已复制回放链接") });
    } catch (error) {
      showRefusal(error);
    }
  };
  const replay = round.outcome !== "failed";
  return h(
    "section",
    { class: "card round", "aria-label": t("第 {0} 局", at + 1) },
    h(
      "div",
      { class: "line spread" },
      h("h2", { class: "num", text: t("第 {0} 局", at + 1) }),
      h("span", { class: "chip", text: t(OUTCOMES[round.outcome] ?? round.outcome) }),
      replay ? h("a", { class: "btn sm quiet", href: `#/replay/round:${round.id}`, text: t("回放") }) : null,
      replay
        ? h("button", { class: "btn sm quiet", type: "button", "data-share": round.id, on: { click: give } }, icon("share"), t("分享"))
        : null,
    ),
    h(
      "ul",
      { class: "seats-line" },
      round.seats.map((/** @type {any} */ s) =>
        h(
          "li",
          { class: s.user_id === me ? "me" : "" },
          h("span", { text: who(s.seat) }),
          change(s.net),
          h("small", { text: s.patterns.map((/** @type {string} */ p) => t(names[p] ?? p)).join(" ") }),
        ),
      ),
    ),
    h("details", { on: { toggle: open } }, h("summary", { text: t("明细") }), ledger),
  );
}
