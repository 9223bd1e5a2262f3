// Copied into an empty project that has `@quezhuo/client` installed: `node play.mjs URL VARIANT` plays a match against three
// bots, loses its line twice, and compares its view with a `sync`. One line of JSON, as `stranger/client.mjs` prints it.
import assert from "node:assert/strict";
import { FINAL, Refusal, Rest, sit, split, verified } from "@quezhuo/client";
import { fold } from "@quezhuo/client/view";
import { open } from "./socket.mjs";

const [, , origin, variant] = process.argv;
const seen = { refused: [], folded: 0, compared: 0, resumed: 0 };
const drops = [5, 40];
const answered = new Set();
let [line, checked, readied] = [null, 0, 0];

/** As much of a `WebSocket` as the package uses, for a Node that has none. */
function dial(path) {
  const socket = { readyState: 0, send: () => undefined, close: () => undefined };
  const ended = () => {
    if (socket.readyState !== 3) setImmediate(() => socket.onclose?.({ code: 1006 }));
    socket.readyState = 3;
  };
  open(origin + path, "mahjong.v1", (text) => socket.onmessage?.({ data: text }), ended).then((opened) => {
    Object.assign(socket, { readyState: 1, send: opened.send, close: opened.drop });
    socket.onopen?.();
  }, ended);
  line = socket;
  return socket;
}

const rest = new Rest({ origin });
const room = await rest.post("/rooms", { variant, rules: { rounds: 2 }, settings: { fill_with_bots: true, claim_hold_ms: 0 } });

function refused(error) {
  if (!(error instanceof Refusal)) throw error;
  seen.refused.push(error.code);
}

/** Everything again, against what was folded up to it. */
function compare(held) {
  if (String(held.last) !== String(table.last)) return;
  assert.deepEqual(table.view, held.view);
  seen.compared += 1;
}

function ready() {
  const { match } = table;
  if (!["waiting", "between"].includes(match?.phase) || readied === match.round_no) return;
  readied = match.round_no;
  if (match.phase === "waiting") table.send("fill").catch(refused);
  table.send("ready", { entropy: `${Math.random()}` }).catch(refused);
}

let [held, finish] = [null, null];
const done = new Promise((resolve) => (finish = resolve));
const table = sit(rest, room.id, {
  dial,
  events(events, before) {
    seen.folded += events.length;
    assert.deepEqual(events.reduce(fold, before), table.view);
    if (table.view?.ended && checked !== table.viewRound) {
      checked = table.viewRound;
      assert.equal(verified(table.view), true);
      assert(split(table.view.ended.wall).length >= 72);
    }
    const [round, n] = table.last;
    if (round === 1 && n === drops[0]) {
      drops.shift();
      line.close();
    }
  },
  synced() {
    if (held) compare(held);
    held = null;
  },
  changed() {
    ready();
    const { decision } = table;
    const key = decision && `${table.last[0]} ${decision.id}`;
    if (decision && !answered.has(key)) {
      answered.add(key);
      if (answered.size % 2) {
        held = { view: table.view, last: table.last };
        table.send("sync").catch(refused);
      }
      const action = decision.options.find((o) => o.verb === "win") ?? decision.options.findLast((o) => o.verb === "discard");
      table.act(action ?? decision.options.at(-1)).catch(refused);
    }
    if (table.match?.phase === "ended") finish();
  },
  line(state, reason) {
    if (state === "lost") seen.resumed += 1;
    if (state === "final") throw new Error(reason);
  },
});
await done;
table.close();
assert.equal(FINAL[4001], "replaced");
assert.equal((await rest.callAs("", "GET", "/variants")).variants.length, 3);
console.log(JSON.stringify({ totals: table.match.totals, rounds: table.match.played, ...seen }));
process.exit(0);
