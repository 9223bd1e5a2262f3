// @ts-check
/** The settlement sheet: who won, with which tiles, what each seat's change is, and why every point moved. */
import { h, icon, number, signed } from "../dom.js";
import { lang, t } from "../i18n.js";
import { clauseChip } from "../rules.js";
import { name, tile } from "../tiles.js";
import { split } from "../view.js";
import { face, meld } from "./pieces.js";

/** @typedef {import("./pieces.js").Ctx} Ctx */
const HOW_MANY = ["", "", "两家", "三家"];

/** @param {number} n */
const change = (n) => h("b", { class: `num ${n > 0 ? "up" : n < 0 ? "dn" : ""}`, text: signed(n) });

/** Lines that differ in the payer only, read as one: 三家 → 小满. @param {any[]} lines */
export function folded(lines) {
  /** @type {any[][]} */
  const found = [];
  const alike = (/** @type {any} */ l) => JSON.stringify([l.target, l.points, l.reason, l.clause, l.detail]);
  for (const line of lines) {
    const group = found.find((g) => alike(g[0]) === alike(line) && g.every((l) => l.source !== line.source));
    if (group) group.push(line);
    else found.push([line]);
  }
  return found;
}

/**
 * The winning hand as it was read: sets apart, a wild as what it plays, the winning tile ringed. @param {Ctx} ctx @param {any} win @param {string} who
 */
function readingOf(ctx, win, who) {
  const melds = ctx.view.seats[win.seat].melds;
  const one = (/** @type {string} */ text) => {
    const wild = text.includes("W(");
    const kind = /** @type {string} */ (text.match(/[1-9][mpsz]/)?.[0]);
    return face(ctx, kind, { last: text.startsWith("*"), wild, mark: wild ? ctx.face.wildGlyph : (ctx.marks[kind] ?? null) });
  };
  return h(
    "div",
    { class: "row", role: "group", "aria-label": `${who} ${t("手牌")}` },
    melds.map((m) => meld(ctx, { ...m, face_down: false }, win.seat, false)),
    win.reading.groups.map((/** @type {string} */ group) => h("span", { class: "set" }, group.split(" ").map(one))),
  );
}

/** Revealed tiles of a seat, the winning tile apart. @param {Ctx} ctx @param {number} seat @param {string} who */
function tilesOf(ctx, seat, who) {
  const s = ctx.view.seats[seat];
  const win = ctx.view.wins.find((w) => w.seat === seat);
  const tiles = split(s.hand);
  const own = win && ["draw", "kong_draw"].includes(win.origin);
  if (own && win.tile && tiles.includes(win.tile)) tiles.splice(tiles.lastIndexOf(win.tile), 1);
  return h(
    "div",
    { class: "row", role: "group", "aria-label": `${who} ${t("手牌")}` },
    s.melds.map((m) => meld(ctx, { ...m, face_down: false }, seat, false)),
    h(
      "span",
      { class: "con" },
      tiles.map((k) => face(ctx, k)),
    ),
    win?.tile ? face(ctx, win.tile, { last: true, label: name(win.tile, lang, ctx.face.dots) }) : null,
  );
}

/**
 * One line of the ledger, its clause and arithmetic behind a tap. @param {any[]} group equal lines of several payers
 * @param {{slug: string, me: number|null, players: number, who: (seat: number) => string, why: string, how: string}} told
 */
function ledgerLine(group, { slug, me, players, who, why, how }) {
  const [line] = group;
  const all = group.length > 1 && group.length === players - 1;
  const mine = line.target === me || group.some((l) => l.source === me);
  const sum = line.points * group.length;
  const gain = line.target === me ? sum : mine ? -line.points : null;
  return h(
    "li",
    { class: mine ? "mine" : "" },
    h(
      "details",
      {},
      h(
        "summary",
        {},
        h(
          "span",
          { class: "ft" },
          h("i", { text: all ? t(HOW_MANY[group.length]) : group.map((l) => who(l.source)).join(t("、")) }),
          h("span", { class: "arw", role: "img", "aria-label": t("付"), text: "→" }),
          h("i", { text: who(line.target) }),
        ),
        h("span", { class: "why", text: why }),
        gain === null ? h("b", { class: "num oth", text: sum }) : change(gain),
      ),
      h(
        "p",
        { class: "how" },
        h("span", { text: [how, group.length > 1 ? `${group.length} ${t("家")}` : ""].filter(Boolean).join(" · ") }),
        clauseChip(slug, line.clause),
      ),
    ),
  );
}

/**
 * The ledger with its filter. @param {any[]} lines @param {import("../verify.js").Fair|null} fair the shuffle's check @param {boolean} seated have I lines of my own @param {(group: any[]) => HTMLElement} draw
 */
function ledger(lines, fair, seated, draw) {
  const list = h("ul", { class: "ledger all" }, folded(lines).map(draw));
  const tab = (/** @type {string} */ label, /** @type {boolean} */ all) =>
    h("button", {
      class: "tab",
      type: "button",
      "aria-pressed": String(all),
      text: t(label),
      on: {
        click: (/** @type {MouseEvent} */ e) => {
          list.classList.toggle("all", all);
          const here = /** @type {HTMLElement} */ (e.currentTarget);
          for (const b of here.parentElement?.children ?? []) b.setAttribute("aria-pressed", String(b === here));
        },
      },
    });
  return h(
    "section",
    { class: "why-box card" },
    h(
      "div",
      { class: "bar" },
      h("h2", { text: t("明细") }),
      seated ? h("span", { class: "tabs", role: "group", "aria-label": t("明细") }, tab("全部", true), tab("只看我", false)) : null,
    ),
    lines.length ? list : h("p", { class: "none", text: t("没有分数变动") }),
    fair === null
      ? null
      : h(
          "p",
          { class: `fair${fair.ok ? "" : " bad"}` },
          icon(fair.ok ? "check" : "close"),
          h("span", {}, t(fair.ok ? "洗牌校验通过" : "洗牌校验不通过"), " · ", t(fair.note)),
        ),
  );
}

/** @param {Ctx} ctx @param {Record<string, string>} names */
function winCard(ctx, names, /** @type {(seat: number) => string} */ who) {
  return ctx.view.wins.map((win) => {
    const told = ctx.face.formula(win, ctx.view, names);
    return h(
      "section",
      { class: "win card" },
      ctx.view.wins.length > 1 ? h("h2", { text: who(win.seat) }) : null,
      win.reading.groups?.length ? readingOf(ctx, win, who(win.seat)) : tilesOf(ctx, win.seat, who(win.seat)),
      h(
        "div",
        { class: "pats" },
        win.reading.patterns.map((/** @type {[string, number]} */ [p, n]) =>
          h("span", { class: "pat" }, t(names[p] ?? p), h("b", { class: "num", text: n })),
        ),
        ctx.view.flips
          .filter((f) => f.role === "flip")
          .map((f) => h("span", { class: "pat flip" }, t(ctx.face.flipLabel), face(ctx, f.tile))),
        h("span", { class: "formula num", text: [told.sum, told.price].filter(Boolean).join(" · ") }),
      ),
    );
  });
}

/** The sheet's largest number: what the round brought me; nothing for a spectator. @param {number[]} points @param {number|null} me */
const mine = (points, me) =>
  me === null ? null : h("p", { class: "fan mine" }, h("small", { text: t("我这一局") }), change(points[me] ?? 0));

/** @param {any} ended @param {Ctx} ctx @param {(seat: number) => string} who */
function headline(ended, ctx, who) {
  if (ended.outcome === "void") return t("本局作废");
  if (ended.outcome === "exhausted") return t("荒庄");
  return ctx.view.wins.map((w) => `${who(w.seat)} ${t(ctx.face.origins[w.origin])}`).join(t("，"));
}

/**
 * @param {Ctx} ctx @param {any} match @param {Record<string, string>} names
 * @param {{who: (seat: number) => string, me: number|null, verified: import("../verify.js").Fair|null, buttons: (HTMLElement|null)[], title: string}} more `me`: null for a spectator
 */
export function settlement(ctx, match, names, more) {
  const { view } = ctx;
  const { who, me } = more;
  const ended = view.ended ?? {};
  const win = view.wins[0];
  const seats = view.seats.map((_s, seat) =>
    h(
      "div",
      { class: `seat${seat === me ? " me" : ""}` },
      h(
        "span",
        { class: "who" },
        h("b", { text: who(seat) }),
        view.dealer === seat ? h("span", { class: "chip hot", text: t("庄") }) : null,
        ctx.face.chips(view, seat).map((c) => h("span", { class: `chip ${c.tone ?? ""}`, text: c.text })),
        view.waits[seat] ? h("span", { class: "chip", text: t("听") }) : null,
      ),
      h("span", { class: "dl" }, change(view.points[seat])),
      h("span", { class: "tot num" }, h("small", { text: t("总分") }), ` ${number(match.totals[seat] ?? 0)}`),
      view.wins.some((w) => w.seat === seat) || !view.revealed ? null : tilesOf(ctx, seat, who(seat)),
    ),
  );
  return h(
    "section",
    { class: `sheet n${ctx.face.slots}`, role: "dialog", "aria-label": t("结算"), tabindex: -1 },
    h(
      "div",
      { class: "leaf" },
      h(
        "header",
        {},
        h("p", { class: "ttl num", text: more.title }),
        h("h1", { text: headline(ended, ctx, who) }),
        win ? h("p", { class: "sub", text: ctx.face.formula(win, view, names).head }) : null,
        mine(view.points, me) ?? (win ? h("b", { class: "fan num", text: ctx.face.formula(win, view, names).price }) : null),
      ),
      winCard(ctx, names, who),
      h("section", { class: "seats card", "aria-label": t("四家手牌") }, seats),
      ledger(view.lines, more.verified, me !== null, (g) =>
        ledgerLine(g, {
          slug: view.variant,
          me,
          players: view.players,
          who,
          why: ctx.face.why(g[0], names),
          how: ctx.face.how(g[0], view, names),
        }),
      ),
    ),
    h("footer", {}, more.buttons),
  );
}

/**
 * A settlement after a reload: the ledger and the totals; hands are in the replay. @param {any} match @param {any} look
 * the variant's face @param {Record<string, string>} names @param {number|null} me @param {{who: (seat: number) =>
 * string, buttons: (HTMLElement|null)[], title: string}} more
 */
export function kept(match, look, names, me, more) {
  const round = match.rounds_so_far.at(-1);
  const lines = match.last_lines;
  const title = round?.outcome === "void" ? t("本局作废") : round?.outcome === "exhausted" ? t("荒庄") : t("本局结算");
  return h(
    "section",
    { class: "sheet kept", role: "dialog", "aria-label": t("结算"), tabindex: -1 },
    h(
      "div",
      { class: "leaf" },
      h("header", {}, h("p", { class: "ttl num", text: more.title }), h("h1", { text: title }), mine(round?.nets ?? [], me)),
      h(
        "section",
        { class: "seats card", "aria-label": t("总分") },
        match.seats.map((/** @type {any} */ _s, /** @type {number} */ seat) =>
          h(
            "div",
            { class: `seat${seat === me ? " me" : ""}` },
            h("span", { class: "who" }, h("b", { text: more.who(seat) })),
            h("span", { class: "dl" }, change(round?.nets[seat] ?? 0)),
            h("span", { class: "tot num" }, h("small", { text: t("总分") }), ` ${number(match.totals[seat])}`),
          ),
        ),
      ),
      ledger(lines, null, me !== null, (g) =>
        ledgerLine(g, {
          slug: match.variant,
          me,
          players: match.seats.length,
          who: more.who,
          why: look.why(g[0], names),
          how: look.how(g[0], null, names),
        }),
      ),
    ),
    h("footer", {}, more.buttons),
  );
}

/**
 * The ranking at the end of a match, with every round's change. @param {any} match @param {(seat: number) => string} who
 * @param {(HTMLElement|null)[]} buttons @param {number|null} me @param {{reason: string, said: (string|null|undefined)[]}} [over] why the room is closed, and what was said about it
 */
export function ranking(match, who, buttons, me, over) {
  const places = match.ended?.ranking ?? [];
  const rounds = match.ended?.rounds ?? [];
  return h(
    "section",
    { class: "sheet rank", role: "dialog", "data-reason": over?.reason, "aria-label": t("名次"), tabindex: -1 },
    h(
      "div",
      { class: "leaf" },
      h(
        "header",
        {},
        h("h1", { text: t("全场结束") }),
        h("p", { class: "sub num", text: [...(over?.said ?? []), t("共 {0} 局", match.played)].filter(Boolean).join(" · ") }),
      ),
      h(
        "ol",
        { class: "card places" },
        places.map((/** @type {any} */ p) =>
          h(
            "li",
            { class: [p.rank === 1 && "first", p.seat === me && "me"].filter(Boolean).join(" ") },
            p.rank === 1 ? h("b", { class: "rk" }, tile("1s", { label: "1" })) : h("b", { class: "num rk", text: p.rank }),
            h("span", { class: "nm", text: who(p.seat) }),
            match.seats[p.seat]?.ready ? h("span", { class: "chip hot", text: t("已准备") }) : null,
            change(p.total),
          ),
        ),
      ),
      rounds.length
        ? h(
            "div",
            { class: "card by-round", tabindex: 0, role: "group", "aria-label": t("每局得失") },
            h(
              "table",
              { class: "num" },
              h(
                "thead",
                {},
                h(
                  "tr",
                  {},
                  h("th", { text: t("局") }),
                  places.map((/** @type {any} */ p) => h("th", { text: who(p.seat) })),
                ),
              ),
              h(
                "tbody",
                {},
                rounds.map((/** @type {any} */ r, /** @type {number} */ at) =>
                  h(
                    "tr",
                    {},
                    h("td", { text: at + 1 }),
                    places.map((/** @type {any} */ p) => h("td", {}, change(r.nets[p.seat]))),
                  ),
                ),
              ),
            ),
          )
        : null,
    ),
    h("footer", {}, buttons),
  );
}
