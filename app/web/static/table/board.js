// @ts-check
/** The table itself, from the folded view: seats, rivers, centre, my side. Each part is redrawn when what it shows changes. */
import { redraw } from "../dom.js";
import { t } from "../i18n.js";
import { settings } from "../settings.js";
import { PLACES, riverSlot } from "./frame.js";
import { drawMine } from "./mine.js";
import { centre, laidOut, plate, river } from "./pieces.js";
import { seatsByPlace } from "./present.js";

/** @typedef {import("./pieces.js").Ctx} Ctx */

/** What every piece needs to know of a view. @param {import("../view.js").View} view @param {import("../variants/generic.js").Face} face @param {number} me @param {boolean} open @returns {Ctx} */
export const context = (view, face, me, open) => ({ view, face, me, open, wilds: face.wilds(view), marks: face.marks(view) });

/** @param {any} table the screen @param {import("../view.js").View} view @param {any} match @param {any} decision */
export function drawBoard(table, view, match, decision) {
  const ctx = context(view, table.face, table.seat ?? 0, view.revealed);
  table.ctx = ctx;
  const places = seatsByPlace(ctx.me, view.players);
  const { app, slots } = table;
  for (const players of [2, 3, 4]) app.classList.toggle(`p${players}`, players === view.players);
  app.classList.toggle("watching", table.seat === null);
  app.querySelector(".rivers").className = `rivers p${view.players}${table.allRivers ? " all" : ""}`;
  for (const place of PLACES) {
    const seat = places[place];
    const box = slots[place];
    const row = slots[riverSlot(place)];
    box.hidden = row.hidden = seat === undefined;
    if (seat === undefined) continue;
    drawSeat(table, ctx, place, seat, match, box);
    redraw(row, [view.seats[seat].row, view.last, ctx.wilds, ctx.marks, view.marks, table.allRivers], () =>
      river(ctx, seat, table.who(seat), table.allRivers),
    );
    row.setAttribute("aria-label", `${table.who(seat)} ${t("打出的牌")}`);
  }
  const turn = view.turn === null || view.phase === "over" ? "" : Object.entries(places).find(([, s]) => s === view.turn)?.[0];
  slots.centre.className = `centre turn-${turn}`;
  redraw(slots.centre, [view.left, table.face.aside(view)], () => centre(ctx));
  drawMine(table, ctx, decision);
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
    moved: table.moved?.[seat] ?? null,
    active,
    online: !table.offline.has(seat),
    said: table.said[seat] ?? null,
    muted: settings.muted.includes(person?.user),
  };
  box.classList.toggle("active", active);
  box.setAttribute("aria-label", table.who(seat));
  const s = view.seats[seat];
  redraw(box, [person, now, view.dealer, s.count, s.melds, ctx.open, table.face.chips(view, seat)], () => [
    plate(ctx, place, seat, person, now, place === "me" ? null : () => table.menu.person(seat)),
    ...(place === "me" ? [] : laidOut(ctx, place, seat)),
  ]);
}
