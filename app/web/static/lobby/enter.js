// @ts-check
/** The way to a table. */

/** @param {{id: string}} room */
export const enter = (room) => {
  location.hash = `#/table/${room.id}`;
};
