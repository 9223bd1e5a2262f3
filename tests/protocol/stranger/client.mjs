// A client as a stranger writes it from "How to write a client": plain Node, no package, nothing of ours.
//
// `node client.mjs URL VARIANT` plays one match against three bots and loses its socket twice. It prints one line of JSON:
// `totals`, `rounds`, `refused` (codes), `folded` (events), `compared` (views, each with a `sync`), `resumed`.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { setTimeout as after } from "node:timers/promises";
import { fold } from "./fold.mjs";
import { open } from "./socket.mjs";

const [, , url, variant] = process.argv;
const seen = { refused: [], folded: 0, compared: 0, resumed: 0 };
const drops = [5, 40];
const waiting = new Map();
const answered = new Set();
let [token, view, match, last, readied, comparing, line] = ["", null, {}, null, null, false, null];

async function rest(method, path, body) {
  const headers = { "content-type": "application/json", ...(token && { authorization: `Bearer ${token}` }) };
  const answer = await fetch(url + path, { method, headers, body: body && JSON.stringify(body) });
  if (answer.ok) return answer.json();
  if (![429, 503].includes(answer.status)) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  await after(1000 * Number(answer.headers.get("retry-after")));
  return rest(method, path, body);
}

function say(kind, data = {}, keep = true) {
  const request = { id: randomUUID(), kind, data };
  if (keep) waiting.set(request.id, request);
  line?.send(JSON.stringify(request));
}

function answer(decision) {
  const key = decision && `${last[0]} ${decision.id}`;
  if (!decision || answered.has(key)) return;
  answered.add(key);
  const { options } = decision;
  const action = options.find((o) => o.verb === "win") ?? options.findLast((o) => o.verb === "discard") ?? options.at(-1);
  say("act", { round: last[0], decision: decision.id, action });
}

function follow(data, seq) {
  const [round, n] = last;
  assert(seq[0] === round ? seq[1] === n + 1 : seq[0] === round + 1 && seq[1] === 1, `${seq} after ${last}`);
  if (seq[0] > round) view = null;
  last = seq;
  for (const event of data.events) view = fold(view, event);
  seen.folded += data.events.length;
  match = data.match ?? match;
  if (seq[1] % 5 === 0 || match.phase === "ended") {
    comparing = true;
    say("sync", {}, false);
  }
  if (seq[0] === 1 && seq[1] === drops[0]) {
    drops.shift();
    line.drop();
  }
}

const TAKE = {
  ack: ({ ref }) => waiting.delete(ref),
  error({ ref, code }) {
    waiting.delete(ref);
    seen.refused.push(code);
  },
  sync(data, seq) {
    if (comparing && String(seq) === String(last)) {
      assert.deepEqual(view, data.view);
      seen.compared += 1;
    }
    [comparing, view, match, last] = [false, data.view, data.match, seq];
    answer(data.prompt.decision);
  },
  events: follow,
  prompt: (data) => answer(data.decision),
};

function beReady() {
  if (!["waiting", "between"].includes(match.phase) || readied === match.round_no) return;
  readied = match.round_no;
  if (match.phase === "waiting") say("fill");
  say("ready", { entropy: randomUUID() });
}

async function converse(room) {
  const { ticket, ws_path } = await rest("POST", `/v1/rooms/${room}/ticket`);
  await new Promise((resolve, reject) => {
    const take = (text) => {
      const { kind, data, seq } = JSON.parse(text);
      if (!line) return;
      TAKE[kind]?.(data, seq);
      beReady();
      if (match.phase === "ended" && !comparing) resolve(line.drop());
    };
    const guarded = (text) => {
      try {
        take(text);
      } catch (error) {
        reject(error);
      }
    };
    open(url + ws_path, "mahjong.v1", guarded, resolve).then((opened) => {
      line = opened;
      say("hello", { ticket, ...(last && { last }) }, false);
      for (const request of waiting.values()) line.send(JSON.stringify(request));
    }, resolve);
  });
  [line, comparing] = [null, false];
}

const beat = setInterval(() => say("ping", { t: performance.now() }, false), 10_000);
token = (await rest("POST", "/v1/guests", {})).access_token;
const settings = { fill_with_bots: true, claim_hold_ms: 0 };
const room = await rest("POST", "/v1/rooms", { variant, rules: { rounds: 2 }, settings });
while (match.phase !== "ended") {
  await converse(room.id);
  if (match.phase !== "ended") seen.resumed += 1;
}
clearInterval(beat);
console.log(JSON.stringify({ totals: match.totals, rounds: match.played, ...seen }));
