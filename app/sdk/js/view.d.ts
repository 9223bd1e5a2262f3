import type { Event, TableView, Value } from "./protocol.js";

/** What a viewer sees of the table. */
export type View = TableView;

/** The view after one event. Throws for an event of an unknown type: the client is older than the server. */
export function fold(view: View | null, event: Event): View;
/** The value of a mark; null: not set, or not shown to this viewer. `seat` null: it concerns all. */
export function mark(view: View, name: string, seat?: number | null): Value;
/** Run-together mpsz text as tiles: `"1m5z"` is `["1m", "5z"]`. */
export function split(tiles: string | null | undefined): string[];
/** A number by which tiles sort: m, p, s, z, and by rank. */
export function order(tile: string): number;
/** The tiles in that order. */
export function sorted(tiles: string[]): string[];
