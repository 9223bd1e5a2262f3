import type { Rest } from "./rest.js";
import type { Hooks, TableSocket } from "./socket.js";

export * from "./rest.js";
export * from "./socket.js";
export * from "./verify.js";
export * from "./view.js";
export type * from "./protocol.js";

/** A seat's connection to a room, opened: tickets by REST, a line to the table's node, and back again after a lost one. */
export function sit(rest: Rest, room: string, hooks?: Partial<Hooks>): TableSocket;
