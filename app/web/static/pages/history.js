// @ts-check
/** 战绩: my matches with filters, statistics per game, and one match with its rounds, ledgers and replays. */
import { allVariants, get, post, session, variantMeta, variantName } from "../api.js";
import { h, icon, number, signed } from "../dom.js";
import { lang, t } from "../i18n.js";
import { told } from "../refusals.js";
import { copied } from "../speak.js";
import { faceOf } from "../variants/generic.js";

const OUTCOMES = /** @type {Record<string, string>} */ ({ won: "胡", exhausted: "荒庄", void: "作废", failed: "出错" });
const ENDS = /** @type {Record<string, string>} */ ({
  finished: "打满",
  voted: "解散",
  host: "解散",
  operator: "运营关闭",
  left: "有人离开",
  deserted: "无人在线",
  failed: "出错",
});

/** A moment as people say it. @param {string} iso */
export const moment = (iso) =>
  new Date(iso).toLocaleString(lang === "en" ? "en-GB" : "zh-CN", { month: "numeric", day: "numeric", hour: "2-digit", minute: "2-digit" });

/** A change with its sign and colour. @param {number|null} n @param {string} [tag] */
export const change = (n, tag = "b") =>
  h(tag, { class: `num n ${n && n > 0 ? "up" : n && n < 0 ? "dn" : ""}`, text: n === null ? "" : signed(n) });

/** @param {string} title @param {...any} more */
export const head = (title, ...more) =>
  h("header", {}, h("a", { class: "icon", href: "#/", "aria-label": t("返回") }, icon("back")), h("h1", { text: title }), more);

/** @param {HTMLElement} root */
export async function openHistory(root) {
  const [variants, { items: statistics }] = await Promise.all([allVariants(), get("/me/statistics")]);
  const list = h("div", { class: "rows-box" });
  const filter = { variant: "", cursor: /** @type {string|null} */ (null) };
  const load = async () => {
    const query = new URLSearchParams({
      limit: "20",
      ...(filter.variant ? { variant: filter.variant } : {}),
      ...(filter.cursor ? { cursor: filter.cursor } : {}),
    });
    try {
      const page = await get(`/me/matches?${query}`);
      if (!filter.cursor) list.replaceChildren();
      list.querySelector(".more")?.remove();
      filter.cursor = page.cursor;
      list.append(...page.items.map((/** @type {any} */ m) => matchRow(m, variants)));
      if (page.cursor) list.append(h("button", { class: "btn sm quiet more", type: "button", text: t("更多"), on: { click: load } }));
      if (!list.children.length) list.append(h("p", { class: "none", text: t("还没有打过。去打一局？") }));
    } catch (error) {
      told(error);
    }
  };
  const pick = h(
    "select",
    {
      "aria-label": t("玩法"),
      on: {
        change: (/** @type {any} */ e) => {
          filter.variant = e.target.value;
          filter.cursor = null;
          load();
        },
      },
    },
    h("option", { value: "", text: t("全部玩法") }),
    variants.map((/** @type {any} */ v) => h("option", { value: v.slug, text: t(v.name_zh) })),
  );
  root.replaceChildren(
    h(
      "main",
      { class: "page" },
      head(t("战绩")),
      statistics.length ? await statisticsCard(statistics, variants) : null,
      h(
        "section",
        { class: "card", "aria-label": t("对局") },
        h("div", { class: "line spread" }, h("h2", { text: t("对局") }), h("span", { class: "narrow" }, pick)),
        list,
      ),
    ),
  );
  await load();
}

/** @param {any} m @param {any[]} variants */
const matchRow = (m, variants) =>
  h(
    "a",
    { class: "row-link", href: `#/match/${m.id}` },
    h(
      "span",
      { class: "g" },
      h("b", { text: t(variantName(variants, m.variant)) }),
      h("small", {
        class: "num",
        text: [moment(m.started_at), `${m.rounds} ${t("局")}`, m.end_reason ? t(ENDS[m.end_reason] ?? m.end_reason) : t("进行中")].join(
          " · ",
        ),
      }),
    ),
    change(m.net),
    h("span", { "aria-hidden": "true", text: "›" }),
  );

/** @param {any[]} rows @param {any[]} variants */
async function statisticsCard(rows, variants) {
  const names = Object.fromEntries(
    await Promise.all(rows.map(async (r) => [r.variant, (await variantMeta(r.variant))?.pattern_names ?? {}])),
  );
  return h(
    "section",
    { class: "card", "aria-label": t("统计") },
    h("h2", { text: t("统计") }),
    h(
      "div",
      { class: "stats" },
      rows.map((r) =>
        h(
          "div",
          { class: "stat" },
          h("b", { text: t(variantName(variants, r.variant)) }),
          h(
            "dl",
            {},
            [
              ["局数", r.rounds],
              ["胡率", `${Math.round(r.win_rate * 100)}%`],
              ["坐庄局", r.dealer_rounds],
              ["总得失", number(r.net)],
              ["最常胡", r.favourite ? t(names[r.variant][r.favourite.pattern] ?? r.favourite.pattern) : "—"],
              ["最大一局", r.biggest ? signed(r.biggest.net) : "—"],
            ].map(([k, v]) => h("div", {}, h("dt", { text: t(String(k)) }), h("dd", { class: "num", text: String(v) }))),
          ),
        ),
      ),
    ),
  );
}

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
      ),
      match.rounds.map((/** @type {any} */ r, /** @type {number} */ at) => roundCard(r, at, look, names, me)),
      match.rounds.length ? null : h("p", { class: "none", text: t("没有打完的局。") }),
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
                  h("b", { text: `${who(l.payer)} → ${who(l.payee)}` }),
                  h("small", { text: [look.why(l, names), look.how(l, null, names), l.clause].filter(Boolean).join(" · ") }),
                ),
                h("b", { class: "num", text: l.points }),
              ),
            ),
          )
        : h("p", { class: "none", text: t("没有分数变动") }),
    );
  };
  const share = async () => {
    try {
      const { code } = await post(`/rounds/${encodeURIComponent(round.id)}/share`);
      copied(`${location.origin}/#/replay/${code}`, t("已复制回放链接"));
    } catch (error) {
      told(error);
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
        ? h("button", { class: "btn sm quiet", type: "button", "data-share": round.id, on: { click: share } }, icon("share"), t("分享"))
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
