// @ts-check
/** The server's limits, for the fields of forms; a test holds these numbers against the server's own. */
export const LIMITS = {
  /** Letters of a name, of a person, a circle or a template; a Chinese character counts as two. */
  name: 24,
  passwordLeast: 8,
  password: 128,
  /** A message to a circle's managers, a reason, the text of a report. */
  text: 200,
  notice: 500,
  circleCode: 8,
  roomCode: 6,
};
