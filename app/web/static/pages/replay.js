// @ts-check
/** Replay (回放): step through a record, play at speeds, from any seat or open, link to a step; the shuffle checked here. */
import { callAs, get, post, variantMeta } from "../api.js";
import { h, icon, redraw } from "../dom.js";
import { project, OPEN } from "../faces.js";
import { lang, t } from "../i18n.js";
import { embedding, replayLink, share } from "../links.js";
import { copied } from "../speak.js";
import { showRefusal } from "../refusals.js";
import { Refusal } from "../socket.js";
import { name, sprite } from "../tiles.js";
import { PLACES, riverSlot, rivers, slots } from "../table/frame.js";
import { context, origin } from "../table/board.js";
import { centre } from "../table/centre.js";
import { hand } from "../table/hand.js";
import { follow, noPieces } from "../table/identity.js";
import { calm, Tiles } from "../table/motion.js";
import { laidOut, plate, river } from "../table/pieces.js";
import { seatsByPlace } from "../table/present.js";
import { settlement } from "../table/settlement.js";
import { faceOf } from "../variants/generic.js";
import { fairness, verified } from "../verify.js";
import { fold, split } from "../view.js";

const SPEEDS_MS = { "0.5×": 2_000, "1×": 1_000, "2×": 500, "4×": 250 };

/** Entries that show something, as lists of events. @param {any} record @returns {any[][]} */
export const steps = (record) =>
  record.entries
    .map((/** @type {any} */ e) => e.events.filter((/** @type {any} */ x) => !x.type.startsWith("match_")))
    .filter((/** @type {any[]} */ events) => events.some((e) => e.type !== "hold_ended"));

/** The table after `count` steps as `viewer` saw it. @param {any[][]} list @param {number} count @param {number} viewer */
export function tableAt(list, count, viewer) {
  /** @type {import("../view.js").View|null} */
  let view = null;
  for (const events of list.slice(0, count)) view = after(view, events, viewer);
  return view;
}

/** A table one step on. @param {import("../view.js").View|null} view @param {any[]} events @param {number} viewer */
function after(view, events, viewer) {
  for (const event of events) {
    const seen = project(event, viewer);
    if (seen) view = fold(view, seen);
  }
  return view;
}

/**
 * Record, seats with names, and the other rounds of its match where the viewer may see them. @param {string} code
 * @returns {Promise<{record: any, seats: any[], rounds: any[]}>}
 */
async function fetchRound(code) {
  const own = code.startsWith("round:") ? encodeURIComponent(code.slice(6)) : null;
  const [round, record] = own
    ? await Promise.all([get(`/rounds/${own}`), get(`/records/${own}`).then((x) => x.record)])
    : await get(`/shares/${encodeURIComponent(code)}`).then((x) => [x.round, x.record], noReplay);
  const match = await get(`/matches/${encodeURIComponent(round.match_id)}`).catch(() => null);
  return { record, seats: round.seats, rounds: match?.rounds ?? [] };
}

/** A share code that leads nowhere, or is none. @param {unknown} error @returns {never} */
function noReplay(error) {
  const none = error instanceof Refusal && ["invalid", "not_found"].includes(error.code);
  throw none ? new Refusal({ code: "no_such_replay", message: "no such replay" }) : error;
}

/** @param {HTMLElement} root @param {string} code share code of a round, or `round:<id>` for one of my own */
export async function openReplay(root, code) {
  const { record, seats, rounds } = await fetchRound(code);
  return show(root, record, seats, code, rounds, new URLSearchParams(location.hash.split("?")[1] ?? ""));
}

/**
 * A shared round as part of another page: asked for without a session, with no way to anywhere else.
 * @param {HTMLElement} root @param {string} code @param {URLSearchParams} query `seat` and `step`
 */
export async function showShared(root, code, query) {
  const { round, record } = await callAs("", "GET", `/shares/${encodeURIComponent(code)}`).catch(noReplay);
  document.documentElement.classList.add("embedded");
  return show(root, record, round.seats, code, [], query);
}

/** @param {HTMLElement} root @param {any} record @param {any[]} seats @param {string} code @param {any[]} rounds @param {URLSearchParams} query */
async function show(root, record, seats, code, rounds, query) {
  sprite();
  const [look, meta] = [await faceOf(record.variant), await variantMeta(record.variant)];
  const replay = new Replay(root, record, seats, look, meta, code, rounds);
  replay.viewer = seatOf(query.get("seat"), seats.length);
  replay.go(query.has("step") ? Number(query.get("step")) : replay.first());
  return () => replay.stop();
}

/** The view that a link asks for; anything that is no seat is the open one. @param {string|null} asked @param {number}
 * seats */
const seatOf = (asked, seats) => (asked && /^\d$/.test(asked) && Number(asked) < seats ? Number(asked) : OPEN);

const embedded = () => document.documentElement.classList.contains("embedded");

class Replay {
  /** @param {HTMLElement} root @param {any} record @param {any[]} seats @param {any} look @param {any} meta @param {string} code @param {any[]} rounds */
  constructor(root, record, seats, look, meta, code, rounds) {
    this.record = record;
    this.people = seats.map((s) => ({ name: s.bot ? "" : s.name, avatar: s.avatar, bot: s.bot, online: true }));
    this.look = look;
    this.names = { ...meta?.reason_names, ...meta?.pattern_names };
    this.code = code;
    this.list = steps(record);
    this.viewer = OPEN;
    this.whole = (meta?.kinds.length ?? 0) * 4;
    this.pieces = noPieces();
    this.tiles = new Tiles();
    /** The seat whose view `pieces` follow. @type {number|null} */ this.followed = null;
    this.at = 1;
    /** @type {keyof typeof SPEEDS_MS} */ this.speed = "1×";
    /** @type {Record<string, HTMLElement>} */ this.slots = {};
    this.onKey = (/** @type {KeyboardEvent} */ e) => this.key(e);
    this.back = rounds.length ? `#/match/${rounds[0].id.replace(/\.\d+$/, "")}` : "#/history";
    this.fair = h("span", { class: "chip checked", role: "status" });
    this.build(root, rounds);
    this.check();
  }

  /** The shuffle checked before anything is looked at: the page itself says whether it holds. */
  check() {
    const last = tableAt(this.list, this.list.length, OPEN);
    const holds = last && verified(last);
    this.fair.classList.toggle("warn", holds === false);
    this.fair.hidden = holds === null;
    this.fair.textContent = t(holds ? "洗牌校验通过" : "洗牌校验不通过");
  }

  /** @param {number} seat */
  who(seat) {
    const person = this.people[seat];
    return person.bot ? `${t("电脑")}${seat + 1}` : person.name;
  }

  /** The first step at which hands lie on the table. */
  first() {
    const dealt = this.list.findIndex((events) => events.some((e) => e.type === "hand_dealt"));
    return dealt + 1;
  }

  stop() {
    clearInterval(this.timer);
    removeEventListener("keydown", this.onKey);
    document.body.classList.remove("playing");
  }

  /** @param {HTMLElement} root @param {any[]} rounds */
  build(root, rounds) {
    document.body.classList.add("playing");
    this.slots = { ...slots(), told: h("div", { class: "ting idle" }) };
    const s = this.slots;
    this.range = /** @type {HTMLInputElement} */ (
      h("input", {
        type: "range",
        min: 1,
        max: this.list.length,
        "aria-label": t("步"),
        on: { input: () => this.go(Number(this.range?.value)) },
      })
    );
    this.playButton = h("button", { class: "icon", type: "button", on: { click: () => this.toggle() } });
    const pick = h(
      "select",
      {
        "aria-label": t("谁的视角"),
        on: {
          change: (/** @type {any} */ e) => {
            this.viewer = Number(e.target.value);
            this.go(this.at);
          },
        },
      },
      h("option", { value: OPEN, text: t("全开") }),
      this.people.map((_p, at) => h("option", { value: at, text: this.who(at) })),
    );
    this.pick = /** @type {HTMLSelectElement} */ (pick);
    const speed = h(
      "select",
      {
        "aria-label": t("速度"),
        on: {
          change: (/** @type {any} */ e) => {
            this.speed = e.target.value;
            if (this.timer) {
              this.toggle();
              this.toggle();
            }
          },
        },
      },
      Object.keys(SPEEDS_MS).map((k) => h("option", { value: k, text: k, selected: k === "1×" })),
    );
    const jump =
      rounds.length > 1
        ? h(
            "select",
            {
              "aria-label": t("第几局"),
              on: {
                change: (/** @type {any} */ e) => {
                  location.hash = `#/replay/${e.target.value}`;
                },
              },
            },
            rounds.map((r) =>
              h("option", {
                value: `round:${r.id}`,
                text: t("第 {0} 局", rounds.indexOf(r) + 1),
                selected: r.round_no === this.record.round_no,
              }),
            ),
          )
        : null;
    this.app = h(
      "main",
      { class: `app replay p${this.people.length}`, "aria-label": t("回放") },
      h(
        "header",
        { class: "bl" },
        embedded() ? null : h("a", { class: "icon", href: this.back, "data-do": "back", "aria-label": t("返回") }, icon("back")),
        h("div", { class: "ttl" }, h("b", { text: t("回放") }), this.fair),
      ),
      h(
        "nav",
        { class: "br" },
        pick,
        jump,
        h("button", { class: "icon", type: "button", "aria-label": t("分享"), on: { click: () => this.share() } }, icon("share")),
        embedded() ? null : h("button", { class: "btn sm quiet", type: "button", text: t("嵌入"), on: { click: () => this.embed() } }),
      ),
      s.left,
      s.top,
      s.right,
      rivers(s, `rivers p${this.people.length}`),
      h("div", { class: "me-row" }, s.me, s.told),
      h(
        "div",
        { class: "dock player" },
        h("button", { class: "icon", type: "button", "aria-label": t("上一步"), on: { click: () => this.go(this.at - 1) } }, icon("back")),
        this.playButton,
        h(
          "button",
          { class: "icon flip", type: "button", "aria-label": t("下一步"), on: { click: () => this.go(this.at + 1) } },
          icon("back"),
        ),
        this.range,
        speed,
        h("button", { class: "btn sm", type: "button", text: t("结算"), on: { click: () => this.go(this.list.length, true) } }),
      ),
      s.hand,
    );
    root.replaceChildren(this.app, s.sheet);
    addEventListener("keydown", this.onKey);
  }

  /** @param {KeyboardEvent} e */
  key(e) {
    if (/** @type {HTMLElement} */ (e.target).closest?.("select, input, dialog")) return;
    if (e.key === "ArrowRight" || e.key === "ArrowLeft") this.go(this.at + (e.key === "ArrowRight" ? 1 : -1));
    if (e.key === "Home" || e.key === "End") this.go(e.key === "Home" ? this.first() : this.list.length);
    if (e.key === " " && !(/** @type {HTMLElement} */ (e.target).closest("button, a, summary"))) this.toggle();
  }

  toggle() {
    if (this.timer) {
      clearInterval(this.timer);
      this.timer = undefined;
    } else {
      this.timer = setInterval(() => (this.at < this.list.length ? this.go(this.at + 1) : this.toggle()), SPEEDS_MS[this.speed]);
    }
    this.drawPlay();
  }

  drawPlay() {
    this.playButton?.setAttribute("aria-label", t(this.timer ? "暂停" : "播放"));
    this.playButton?.replaceChildren(icon(this.timer ? "stop" : "play"));
  }

  /** Makes a share code, unless there is one. Is there one now? */
  async shared() {
    if (!this.code.startsWith("round:")) return true;
    const made = await post(`/rounds/${encodeURIComponent(this.code.slice(6))}/share`).catch(showRefusal);
    if (made) this.code = made.code;
    return Boolean(made);
  }

  /** The lines that show this round in a page of somebody else, from this seat. */
  async embed() {
    if (await this.shared()) await copied(embedding(this.code, this.viewer === OPEN ? undefined : this.viewer), t("已复制嵌入代码"));
  }

  /** A link to this very step, for anybody: through a share code. */
  async share() {
    if (!(await this.shared())) return;
    const seat = this.viewer === OPEN ? undefined : this.viewer;
    await share(replayLink(this.code, { step: this.at, seat }), { title: t("回放"), done: t("已复制这一步的链接") });
  }

  /** Which tile is which at this step: from the step before, or from the first one on. @param {number} was the step before, seen by the same */
  follow(was) {
    const on = this.at === was + 1 && this.followed === this.viewer;
    if (!on) this.pieces = noPieces();
    let view = on ? tableAt(this.list, this.at - 1, this.viewer) : null;
    for (const events of this.list.slice(on ? this.at - 1 : 0, this.at)) {
      view = after(view, events, this.viewer);
      if (view) this.pieces = follow(this.pieces, view, this.look.wilds(view));
    }
    this.followed = this.viewer;
  }

  /** @param {number} step @param {boolean} [sheet] */
  go(step, sheet = false) {
    const was = this.at;
    this.at = Math.max(1, Math.min(this.list.length, Number.isFinite(step) ? step : 1));
    if (this.range) this.range.value = String(this.at);
    if (this.pick) this.pick.value = String(this.viewer);
    this.drawPlay();
    const view = tableAt(this.list, this.at, this.viewer);
    if (!view) return;
    this.tiles.measure();
    this.follow(was);
    this.draw(view);
    this.app?.classList.toggle("turned", this.turned);
    if (this.at === was + 1 && !calm()) this.tiles.fly(origin(this.slots));
    else this.tiles.settle();
    if (sheet || (this.at === this.list.length && this.timer)) this.settle(view);
  }

  /** @param {import("../view.js").View} view */
  draw(view) {
    const me = this.viewer === OPEN ? 0 : this.viewer;
    const ctx = context(view, this.look, me, this.viewer === OPEN || view.revealed, this);
    this.turned = ctx.turned;
    const places = seatsByPlace(me, view.players);
    for (const place of PLACES) {
      const seat = places[place];
      const box = this.slots[place];
      const row = this.slots[riverSlot(place)];
      box.hidden = row.hidden = seat === undefined;
      if (seat === undefined) continue;
      const active = view.turn === seat;
      box.classList.toggle("active", active);
      const person = this.people[seat];
      redraw(box, [view.seats[seat], ctx.pieces.seats[seat], active, this.viewer], () => [
        plate(ctx, place, seat, person, { mine: false, total: view.points[seat], moved: null, active, online: true, said: null }),
        ...(place === "me" ? [] : laidOut(ctx, place, seat)),
      ]);
      redraw(row, [ctx.pieces.seats[seat].row, view.last, view.marks, ctx.marks, ctx.turned], () =>
        river(ctx, seat, this.who(seat), false),
      );
    }
    const turn = Object.entries(places).find(([, s]) => s === view.turn)?.[0] ?? "";
    this.slots.centre.className = `centre turn-${turn}`;
    redraw(this.slots.centre, [view.left, me, this.look.aside(view)], () => centre(ctx, this.whole));
    this.slots.hand.className = `hand n${this.look.slots}`;
    this.slots.hand.style.setProperty("--n", String(this.look.slots));
    redraw(this.slots.hand, [ctx.pieces.seats[me], ctx.open, ctx.wilds, ctx.marks], () =>
      hand(ctx, { selected: null, picked: null, allowed: new Set(), dimOthers: false, timed: null }, true),
    );
    redraw(this.slots.told, [this.at], () => [h("span", { class: "num", text: `${this.at}/${this.list.length} ${this.tell(ctx)}` })]);
  }

  /** The events of this step, as the viewer saw them. @param {import("../table/pieces.js").Ctx} ctx */
  tell(ctx) {
    const told = ["tile_discarded", "meld_made", "meld_extended", "won", "tile_laid", "tile_drawn"];
    const event = told
      .map((type) => this.list[this.at - 1].find((e) => e.type === type))
      .map((e) => e && project(e, this.viewer))
      .find(Boolean);
    if (!event) return "";
    const said = { tile_discarded: t("打出"), won: t("胡牌"), tile_drawn: t("摸牌") }[/** @type {"won"} */ (event.type)];
    const what = said ?? t(ctx.face.kinds[event.kind] ?? "暗牌");
    return `${this.who(event.seat)} ${what} ${event.tile ? name(event.tile, lang, ctx.face.dots) : ""}`;
  }

  /** @param {import("../view.js").View} view */
  settle(view) {
    const me = this.viewer === OPEN ? 0 : this.viewer;
    const ctx = context(view, this.look, me, this.viewer === OPEN || view.revealed, this);
    const ok = fairness(view);
    const close = () => {
      this.slots.sheet.hidden = true;
    };
    this.slots.sheet.hidden = false;
    this.slots.sheet.replaceChildren(
      settlement(ctx, { totals: view.points }, this.names, {
        who: (seat) => this.who(seat),
        me: this.viewer === OPEN ? null : this.viewer,
        verified: ok,
        title: t("回放"),
        buttons: [h("button", { class: "btn main", type: "button", text: t("关闭"), on: { click: close } })],
      }),
    );
  }
}
