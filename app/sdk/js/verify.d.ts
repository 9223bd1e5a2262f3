import type { TableView } from "./protocol.js";

/** Shuffle version 1: wall in drawing order, dice, and the seat of a random dealer. `seed` as hex. */
export function dealOf(
  seed: string, contributions: string[], kinds: string[], dice: number, players: number,
): { wall: string; dice: number[]; seat: number };
/** True when seed, commitment and wall of an ended round agree; null before its end. */
export function verified(view: TableView): boolean | null;
/** What was kept when `ready` was sent. */
export interface Seen {
  commitment: string;
  entropy: string;
  dealer: number | null;
  series: number;
}
/** The check of an ended round against what was kept before its deal; null before its end. */
export function fairness(
  view: TableView, seen?: Seen | null, now?: { seat: number | null; series: number; dice: number; draws: boolean } | null,
): { ok: boolean; note: string } | null;
