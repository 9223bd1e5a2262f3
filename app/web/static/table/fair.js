// @ts-check
/** Facts that I saw when I got ready, kept for the round's end; and the check of the round against it. */
import { forget, keep, recall } from "../seen.js";
import { fairness } from "../verify.js";

/** @param {any} table the screen @param {number} round */
const mine = (table, round) => ({ room: table.roomId, user: table.socket.me?.user ?? "", round });

/** Keeps the commitment beside my random words, which are sent next. @param {any} table the screen @param {string} entropy */
export function kept(table, entropy) {
  const { round_no: round, commitment, dealer, series } = table.socket.match;
  keep({ ...mine(table, round), commitment, entropy, dealer, series });
  return entropy;
}

/** I am not ready any more, or sit elsewhere: the words I sent are not used. @param {any} table the screen */
export const takenBack = (table) => forget(mine(table, table.socket.match.round_no));

/** The ended round's check. @param {any} table the screen @param {import("../view.js").View} view */
export function checkRound(table, view) {
  const { match, viewRound } = table.socket;
  const { dice = 0, first_dealer: first = "" } = table.meta ?? {};
  return fairness(view, recall(mine(table, viewRound)), { seat: table.seat, series: match.series, dice, draws: first === "random" });
}
