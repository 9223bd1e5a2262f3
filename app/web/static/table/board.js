// @ts-check
/** The table itself, from the folded view: seats, rivers, centre, my side. Each part is redrawn when its content
 * changes. */
import { redraw } from "../dom.js";
import { t } from "../i18n.js";
import { settings } from "../settings.js";
import { centre } from "./centre.js";
import { PLACES, riverSlot } from "./frame.js";
import { follow } from "./identity.js";
import { drawMine } from "./mine.js";
import { laidOut, plate, river } from "./pieces.js";
import { seatsByPlace } from "./present.js";

/** @typedef {import("./pieces.js").Ctx} Ctx */

/** Rivers lie turned to their owners where there is room for it. */
const ROOMY = matchMedia("(min-width: 600px) and (min-height: 481px)");

/**
 * The context of a view that every piece needs. @param {import("../view.js").View} view @param
 * {import("../variants/generic.js").Face} face @param {number} me @param {boolean} open @param {{pieces:
 * import("./identity.js").Pieces, tiles: import("./motion.js").Tiles}} kept @returns {Ctx}
 */
export const context = (view, face, me, open, { pieces, tiles }) => ({
  ...{ view, face, me, open, pieces, tiles },
  wilds: face.wilds(view),
  marks: face.marks(view),
  turned: ROOMY.matches,
});

/** The origin of a tile that was not seen before: a seat that threw it, or the wall. @param {Record<string,
 * HTMLElement>} slots @returns {(el: SVGElement) => import("./motion.js").Box|null} */
export const origin = (slots) => (el) => {
  const row = el.closest(".river");
  const place = row ? PLACES.find((p) => slots[riverSlot(p)] === row) : el.closest(".melds") && PLACES.find((p) => slots[p].contains(el));
  const from = place ? slots[place].querySelector(".avatar") : slots.centre;
  if (!from) return null;
  const { left, top, width, height } = from.getBoundingClientRect();
  return { left: left + width / 2 - 12, top: top + height / 2 - 16, width: 24, height: 32 };
};

/** @param {any} table the screen @param {import("../view.js").View} view @param {any} match @param {any} decision */
export function drawBoard(table, view, match, decision) {
  const news = view !== table.shownView;
  if (news) {
    table.tiles.measure();
    table.pieces = follow(table.pieces, view, table.face.wilds(view), table.input.picked);
    table.shownView = view;
  }
  const ctx = context(view, table.face, table.viewpoint, view.revealed, table);
  table.ctx = ctx;
  const places = seatsByPlace(ctx.me, view.players);
  const { app, slots } = table;
  for (const players of [2, 3, 4]) app.classList.toggle(`p${players}`, players === view.players);
  app.classList.toggle("watching", table.seat === null);
  app.classList.toggle("turned", ctx.turned);
  app.querySelector(".rivers").className = `rivers p${view.players}${table.allRivers ? " all" : ""}`;
  for (const place of PLACES) {
    const seat = places[place];
    const box = slots[place];
    const row = slots[riverSlot(place)];
    box.hidden = row.hidden = seat === undefined;
    if (seat === undefined) continue;
    drawSeat(table, ctx, place, seat, match, box);
    const { row: laid } = ctx.pieces.seats[seat];
    redraw(row, [laid, view.last, ctx.wilds, ctx.marks, view.marks, table.allRivers, ctx.turned], () =>
      river(ctx, seat, table.who(seat), table.allRivers),
    );
    row.setAttribute("aria-label", `${table.who(seat)} ${t("打出的牌")}`);
  }
  const turn = view.turn === null || view.phase === "over" ? "" : Object.entries(places).find(([, s]) => s === view.turn)?.[0];
  slots.centre.className = `centre turn-${turn}`;
  const whole = (table.meta?.kinds.length ?? 0) * 4;
  redraw(slots.centre, [view.left, view.dealer, ctx.me, table.face.aside(view)], () => centre(ctx, whole));
  drawMine(table, ctx, decision);
  table.tiles.highlight(table.input.selected);
  if (!news) return;
  if (table.mayMove()) table.tiles.fly(origin(slots));
  else table.tiles.settle();
}

/** @param {any} table @param {Ctx} ctx @param {import("./present.js").Place} place @param {number} seat @param {any} match @param {HTMLElement} box */
function drawSeat(table, ctx, place, seat, match, box) {
  const { view } = ctx;
  const person = match.seats[seat];
  const active = view.turn === seat && view.phase !== "over";
  const running = match.phase === "playing" ? view.points[seat] : 0;
  const now = {
    mine: seat === table.seat,
    total: (match.totals[seat] ?? 0) + running,
    moved: table.passing.moved?.[seat] ?? null,
    active,
    online: !table.offline.has(seat),
    said: table.passing.said[seat] ?? null,
    muted: settings.muted.includes(person?.user),
    level: table.records.of(person)?.level ?? null,
    host: match.host === seat,
  };
  box.classList.toggle("active", active);
  box.setAttribute("aria-label", table.who(seat));
  const s = view.seats[seat];
  const { hand, drawn, melds } = ctx.pieces.seats[seat];
  const ids = place === "me" ? [] : [hand, drawn, melds].flat(2).map((p) => p?.id);
  redraw(box, [person, now, view.dealer, s.count, s.melds, ids, ctx.open, table.face.chips(view, seat)], () => [
    plate(ctx, place, seat, person, now, place === "me" && table.seat !== null ? () => table.menu.mine() : () => table.menu.person(seat)),
    ...(place === "me" ? [] : laidOut(ctx, place, seat)),
  ]);
}
