// @ts-check
/** Drawn pieces of a table: melds, seat plates, rivers, the centre, the clock ring. Input: presentational values. */
import { levelFrame, portrait } from "../avatar.js";
import { h, icon, number, signed } from "../dom.js";
import { lang, t } from "../i18n.js";
import { name, tile } from "../tiles.js";
import { split } from "../view.js";
import { placeOf } from "./present.js";

/** @typedef {import("../variants/generic.js").Face} Face */
/** @typedef {import("../view.js").View} View */
/**
 * The context of every piece. `open`: nothing is hidden any more; `pieces`, `tiles`: the tiles' identities and
 * elements; `turned`: rivers lie turned to their owners.
 * @typedef {{view: View, face: Face, me: number, open: boolean, wilds: string[], marks: Record<string, string>,
 *   pieces: import("./identity.js").Pieces, tiles: import("./motion.js").Tiles, turned: boolean}} Ctx
 */

/** Quarter turns of a tile that lies before its owner. */
const TURN = { me: 0, right: 1, top: 2, left: 3 };
const ARROW = { top: 0, right: 90, me: 180, left: 270 };
/** Sets that everybody knows at a glance need no tag. */
const UNTAGGED = ["pong", "chow"];

/** A tile's look as this round marks it. @param {Ctx} ctx @param {string} kind @param {Record<string, any>} state @returns {Record<string, any>} */
function look(ctx, kind, state) {
  const wild = state.wild ?? ctx.wilds.includes(kind);
  const mark = (state.mark === undefined ? ctx.marks[kind] : state.mark) || (wild ? ctx.face.wildGlyph : null);
  return { lang, dots: ctx.face.dots, wildName: t(ctx.face.wildName), ...state, wild, mark };
}

/** One tile as this round marks it. @param {Ctx} ctx @param {string} kind @param {Record<string, any>} [state] */
export const face = (ctx, kind, state = {}) => tile(kind, look(ctx, kind, state));

/** The element of one tile of the table, which it keeps wherever it goes. @param {Ctx} ctx @param {import("./identity.js").Piece} piece @param {Record<string, any>} [state] */
export const keptTile = (ctx, piece, state = {}) => ctx.tiles.element(piece.id, piece.kind ?? "1z", look(ctx, piece.kind ?? "1z", state));

/** A clock ring with the seconds in it. @param {number} left_ms @param {number|null} total_ms @param {number} [r] @param {boolean} [digits] */
export function ring(left_ms, total_ms, r = 20, digits = true) {
  const ns = "http://www.w3.org/2000/svg";
  const length = 2 * Math.PI * r;
  const box = 2 * r + 6;
  const s = document.createElementNS(ns, "svg");
  s.setAttribute("viewBox", `0 0 ${box} ${box}`);
  s.setAttribute("aria-hidden", "true");
  for (const part of ["track", "fill"]) {
    const o = document.createElementNS(ns, "circle");
    o.setAttribute("class", part);
    for (const [k, v] of Object.entries({ cx: box / 2, cy: box / 2, r })) o.setAttribute(k, String(v));
    if (part === "fill") o.setAttribute("stroke-dasharray", String(length));
    s.append(o);
  }
  const seconds = h("b", { class: "num" });
  const clock = h("span", { class: "clock" }, s, digits && seconds);
  const ends = performance.now() + left_ms;
  const tick = () => {
    const left = Math.max(0, ends - performance.now());
    const part = total_ms ? Math.min(1, left / total_ms) : 1;
    s.setAttribute("class", left <= 5000 ? "ring soon" : "ring");
    s.lastElementChild?.setAttribute("stroke-dashoffset", String(length * (1 - part)));
    seconds.textContent = String(Math.ceil(left / 1000));
    if (clock.isConnected && left > 0) setTimeout(tick, 250);
  };
  queueMicrotask(tick);
  return clock;
}

/**
 * A laid set. Backs tell nothing: not in the picture, the label or the classes. @param {Ctx} ctx @param {any} m @param {number} seat
 * @param {boolean} mine @param {import("./identity.js").Piece[]|null} [kept] its tiles where it lies on the table
 */
export function meld(ctx, m, seat, mine, kept = null) {
  const covered = m.face_down && !ctx.open;
  const hidden = m.kind === "face_down" || (covered && !mine);
  const kinds = hidden ? Array(m.count).fill("1z") : split(m.tiles);
  const down = hidden || Boolean(covered);
  const same = new Set(kinds).size === 1;
  const counted = !same && new Set(kinds).size < kinds.length;
  /** Places of the tiles that are shown: of a set with copies of several kinds, one of each. */
  const list = kinds.map((_k, at) => at).filter((at) => !counted || kinds.indexOf(kinds[at]) === at);
  const extra = list.length > 3 && same ? list.splice(3) : [];
  const stack = same && !mine;
  const tag = hidden || UNTAGGED.includes(m.kind) ? null : ctx.face.kinds[m.kind];
  const taken = m.taken ? list.findLastIndex((at) => kinds[at] === m.taken) : -1;
  const label = [tag && t(tag), hidden ? t("暗牌") : kinds.map((k) => name(k, lang, ctx.face.dots)).join(" ")];
  const box = h("div", {
    class: `meld${stack ? " fan" : ""}${list.length === 4 ? " near" : ""}`,
    role: "group",
    "aria-label": label.filter(Boolean).join(" "),
  });
  const draw = (/** @type {number} */ at, /** @type {Record<string, any>} */ state) => {
    const plain = { mark: null, wild: false, label: "", ...state };
    return kept?.[at] ? keptTile(ctx, { ...kept[at], kind: hidden ? null : kinds[at] }, plain) : face(ctx, kinds[at], plain);
  };
  const seen = down && mine ? list.length - 1 : -1;
  list.forEach((at, nth) => {
    const look = { down: down && nth !== seen, side: mine && nth === taken && !extra.length };
    const one = draw(at, { ...look, blank: stack && !down && nth < list.length - 1 });
    const copies = counted ? kinds.filter((k) => k === kinds[at]).length : 1;
    box.append(copies > 1 ? h("span", { class: "many-of" }, one, h("b", { class: "num", text: copies })) : one);
  });
  extra.forEach((at, nth) => {
    const o = draw(at, { down: down && !mine });
    o.classList.add("over");
    o.style.setProperty("--nth", String(nth));
    box.append(o);
  });
  const from = sourceOf(ctx, m, seat);
  if (from) box.append(arrow(from, mine && !extra.length ? taken : -1));
  if (tag) box.append(h("span", { class: "tag", text: lang === "en" ? t(tag).split(" ")[0] : t(tag) }));
  return box;
}

/** The origin of a set's claimed tile, as I see the table. @param {Ctx} ctx @param {any} m @param {number} seat */
const sourceOf = (ctx, m, seat) =>
  m.source_seat === undefined || m.source_seat === null || m.source_seat === seat ? null : placeOf(m.source_seat, ctx.me, ctx.view.players);

/** Points to where a tile came from. @param {import("./present.js").Place} from @param {number} taken the place it stands over; -1: its usual one */
function arrow(from, taken) {
  const sign = icon("play");
  sign.classList.add("from");
  sign.style.transform = `rotate(${ARROW[from] - 90}deg)`;
  if (taken >= 0) {
    sign.style.left = `${taken + 0.34}em`;
    sign.style.top = "-.22em";
  }
  return sign;
}

/**
 * A seat's plate: name, points, chips, turn. Another player's plate opens their melds and the actions about them.
 * @param {Ctx} ctx @param {string} place @param {number} seat @param {any} person
 * @param {{mine: boolean, total: number, moved: number|null, active: boolean, online: boolean, said: string|null, muted?: boolean, level?: number|null, host?: boolean}} now
 * @param {(() => void)|null} [open]
 */
export function plate(ctx, place, seat, person, now, open = null) {
  const me = place === "me";
  const label = now.mine ? t("我") : person?.bot ? `${t("电脑")}${seat + 1}` : (person?.name ?? t("空位"));
  const avatar = h(
    "span",
    { class: "avatar" },
    h("i", { "aria-hidden": "true" }, person ? portrait(person.avatar || label) : null),
    levelFrame(now.level ?? null),
    now.host && h("b", { class: "host", title: t("房主"), text: t("主") }, h("span", { class: "vh", text: t("房主") })),
    ctx.view.dealer === seat && h("b", { class: "dealer", text: t("庄") }),
  );
  const chips = [
    ...ctx.face.chips(ctx.view, seat),
    ...(person?.bot_account ? [{ text: t("程序"), tone: "" }] : []),
    ...(person?.autoplay && !person?.bot ? [{ text: t("托管"), tone: "warn" }] : []),
    ...(person && !now.online && !person.bot ? [{ text: t("离线"), tone: "warn" }] : []),
    ...(now.muted ? [{ text: t("已静音"), tone: "" }] : []),
  ];
  return h(
    open ? "button" : "div",
    { class: `plate${chips.length ? "" : " plain"}`, ...(open ? { type: "button", "data-person": seat, on: { click: open } } : {}) },
    avatar,
    h(
      "span",
      { class: "who" },
      h("span", { class: "l1" }, h("span", { class: "nm", text: label })),
      h(
        "span",
        { class: "l2" },
        h("span", { class: "pt num", text: number(now.total) }),
        now.moved ? h("em", { class: `fly num ${now.moved > 0 ? "up" : "dn"}`, text: signed(now.moved) }) : null,
        !me && ctx.view.seats[seat].count
          ? h(
              "span",
              { class: "cnt num" },
              h("span", { "aria-hidden": "true", text: ctx.view.seats[seat].count }),
              h("span", { class: "vh", text: `${ctx.view.seats[seat].count} ${t("张")}` }),
            )
          : null,
      ),
    ),
    h(
      "span",
      { class: "chips" },
      chips.map((c) => h("span", { class: `chip ${c.tone ?? ""}`, text: c.text })),
    ),
    now.said ? h("span", { class: "said", text: now.said }) : null,
  );
}

/** Width of a laid set of another seat, in tiles. @param {any} m */
function width(m) {
  const kinds = new Set(split(m.tiles)).size;
  if (kinds <= 1) return 1.52;
  return kinds === 4 ? 2.9 : kinds;
}

/** Widths of a row, in tiles, at which sets are drawn smaller and smaller: all melds keep to two rows, or nearly so. */
const ROOM = [5.1, 6, 6.9, 7.7];

/** The size of a seat's sets: 0, the biggest, to 3. @param {any[]} melds */
export function smallness(melds) {
  const rows = (/** @type {number} */ room) => {
    let [count, used] = [1, 0];
    for (const w of melds.map(width)) {
      if (used && used + w > room) [count, used] = [count + 1, 0];
      used += w + 0.36;
    }
    return count;
  };
  const found = ROOM.findIndex((room) => rows(room) <= 2);
  return found < 0 ? ROOM.length - 1 : found;
}

/** Backs, or the open hand, and melds of another seat. @param {Ctx} ctx @param {string} place @param {number} seat */
export function laidOut(ctx, place, seat) {
  const s = ctx.view.seats[seat];
  const { hand, drawn, melds } = ctx.pieces.seats[seat];
  const concealed = drawn ? [...hand, drawn] : hand;
  const side = place !== "top";
  const open = ctx.open && s.hand !== null;
  const backs = () =>
    concealed.map(({ id }) => keptTile(ctx, { id, kind: null }, { down: true, side, label: "", wild: false, mark: null }));
  return [
    open
      ? h(
          "div",
          { class: "open-hand" },
          concealed.map((piece) => keptTile(ctx, piece)),
        )
      : h("div", { class: "backs", "aria-hidden": "true" }, backs()),
    h(
      "div",
      { class: `melds small${smallness(s.melds)}` },
      s.melds.map((m, at) => meld(ctx, m, seat, false, melds[at])),
    ),
  ];
}

/**
 * A seat's discards. Room is reserved from the start; older ones fold into `+n`. @param {Ctx} ctx @param {number} seat
 * @param {string} who @param {boolean} open all of them
 */
export function river(ctx, seat, who, open) {
  const tiles = ctx.pieces.seats[seat].row;
  const turn = ctx.turned ? TURN[placeOf(seat, ctx.me, ctx.view.players)] : 0;
  const room = ctx.view.players === 2 ? 28 : 18;
  const folded = !open && tiles.length > room ? tiles.length - room + 1 : 0;
  const last = ctx.view.last?.[0] === seat;
  const items = tiles.map((piece, at) =>
    at < folded
      ? null
      : keptTile(ctx, piece, {
          last: last && at === tiles.length - 1,
          dim: ctx.face.dimmed(ctx.view, piece.kind ?? ""),
          mark: ctx.face.rowMark(ctx.view, seat, at),
          own: piece.own,
          wild: false,
          turn,
        }),
  );
  return [folded ? h("span", { class: "more num", "aria-label": `${who} ${folded} ${t("张")}`, text: `+${folded}` }) : null, ...items];
}
