// The least of RFC 6455 that a client needs, for a Node without `WebSocket`: text frames out (masked), text frames in.
import { randomBytes } from "node:crypto";
import { get } from "node:http";

/** One text frame as a client sends it. */
function framed(text, opcode = 1) {
  const payload = Buffer.from(text);
  const mask = randomBytes(4);
  const head = payload.length < 126 ? Buffer.from([0x80 | opcode, 0x80 | payload.length]) : Buffer.alloc(4);
  if (payload.length >= 126) {
    head.writeUInt16BE((0x80 | opcode) * 256 + (0x80 | 126), 0);
    head.writeUInt16BE(payload.length, 2);
  }
  return Buffer.concat([head, mask, payload.map((byte, at) => byte ^ mask[at % 4])]);
}

/** The first whole frame in the bytes: `[opcode, payload, rest]`, or null when it is not all there. */
function unframed(bytes) {
  if (bytes.length < 2) return null;
  let [at, length] = [2, bytes[1] & 0x7f];
  if (length === 126 && bytes.length >= 4) [at, length] = [4, bytes.readUInt16BE(2)];
  else if (length === 127 && bytes.length >= 10) [at, length] = [10, Number(bytes.readBigUInt64BE(2))];
  else if (length >= 126) return null;
  return bytes.length < at + length ? null : [bytes[0] & 0x0f, bytes.subarray(at, at + length), bytes.subarray(at + length)];
}

/** Opens a socket. `onText(text)` for each frame, `onEnd()` once. Resolves to `{send(text), drop()}`. */
export function open(address, protocol, onText, onEnd) {
  return new Promise((resolve, reject) => {
    const headers = {
      connection: "Upgrade", upgrade: "websocket", "sec-websocket-version": "13",
      "sec-websocket-key": randomBytes(16).toString("base64"), "sec-websocket-protocol": protocol,
    };
    const asked = get(address, { headers, timeout: 1000, agent: false });
    asked.on("timeout", () => asked.destroy(new Error("not open in time")));
    asked.on("response", (answer) => reject(new Error(`no upgrade: ${answer.statusCode}`)));
    asked.on("error", reject);
    asked.on("upgrade", (_, line, first) => {
      line.setTimeout(0);
      let bytes = first;
      const read = () => {
        for (let found = unframed(bytes); found; found = unframed(bytes)) {
          bytes = found[2];
          if (found[0] === 1) onText(found[1].toString());
          if (found[0] === 8) line.end(framed("", 8));
          if (found[0] === 9) line.write(framed(found[1], 10));
        }
      };
      line.on("data", (more) => {
        bytes = Buffer.concat([bytes, more]);
        read();
      });
      line.on("error", () => undefined);
      line.on("close", onEnd);
      resolve({ send: (text) => line.destroyed || line.write(framed(text)), drop: () => line.destroy() });
      read();
    });
  });
}
