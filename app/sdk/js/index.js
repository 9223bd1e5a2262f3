// @ts-check
/** `@quezhuo/client`: a seat at a table, from REST to the last fold. */
import { dial, TableSocket } from "./socket.js";

export * from "./rest.js";
export * from "./socket.js";
export * from "./verify.js";
export * from "./view.js";

/**
 * A seat's connection to a room: tickets by REST, a line to the table's node, and back again after a lost one.
 * @param {import("./rest.js").Rest} rest @param {string} room its id @param {Partial<import("./socket.js").Hooks>} [hooks]
 */
export function sit(rest, room, hooks = {}) {
  const ticket = () => rest.post(`/rooms/${room}/ticket`);
  const socket = new TableSocket({ ticket, dial: (path) => dial(path, rest.origin || undefined), ...hooks });
  socket.open();
  return socket;
}
