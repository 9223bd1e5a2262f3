// @ts-check
/**
 * The table screen: one socket, one view, redrawn part by part when what a part shows has changed.
 * Knows no game: special tiles come from the variant's face, buttons from the server's offers.
 */
import { get, post, variantMeta } from "../api.js";
import { attend, callFor } from "../attention.js";
import { h, redraw } from "../dom.js";
import { lang, t } from "../i18n.js";
import { showRefusal } from "../refusals.js";
import { Refusal, TableSocket } from "../socket.js";
import { hear } from "../sound/heard.js";
import { say, toast } from "../speak.js";
import { name, sprite } from "../tiles.js";
import { faceOf } from "../variants/generic.js";
import { drawBars } from "./bars.js";
import { checkRound, kept, takenBack } from "./fair.js";
import { callouts, winMoment } from "./effects.js";
import { frame, PLACES, riverSlot, slots } from "./frame.js";
import { gone } from "./gone.js";
import { listen } from "./hand.js";
import { noPieces } from "./identity.js";
import { Input } from "./input.js";
import { menu } from "./menu.js";
import { calm, Tiles } from "./motion.js";
import { drawBoard } from "./board.js";
import { Passing } from "./passing.js";
import { placeOf, pointsMoved, voteNews } from "./present.js";
import { openings } from "./opening.js";
import { Records } from "./records.js";
import { drawSheet } from "./sheets.js";
import { waiting } from "./waiting.js";

/** More entries at once are not played but shown. */
const ENTRIES_TO_FLY = 2;
/** Time for which a settlement stays when the next round is dealt at once, for a player on autoplay. */
const LOOK_BACK_MS = 10_000;

/** Opens a room's table in `root`. Returns how to leave the page. @param {HTMLElement} root @param {string} roomId */
export async function openTable(root, roomId) {
  sprite();
  const screen = new Screen(root, roomId);
  await screen.start();
  return () => screen.stop();
}

class Screen {
  /** @param {HTMLElement} root @param {string} roomId */
  constructor(root, roomId) {
    this.roomId = roomId;
    this.root = root;
    /** Ends the listeners that this page has outside its own elements. */ this.gone = new AbortController();
    /** @type {any} */ this.meta = null;
    /** @type {any} */ this.face = null;
    this.passing = new Passing(this);
    /** What is known of the players, by user. */ this.records = new Records(this);
    /** The seat from which a spectator looks. */ this.watched = 0;
    /** @type {any[]|null} */ this.hintList = null;
    this.hintKey = "";
    /** @type {Set<number>} */ this.offline = new Set();
    /** When match clocks run out, in `performance.now()` time. @type {Record<string, number>} */ this.clocks = {};
    /** @type {Record<string, HTMLElement>} */ this.slots = {};
    /** @type {string|undefined} */ this.asked = undefined;
    /** @type {Record<string, string>} */ this.names = {};
    /** @type {any} */ this.menu = null;
    /** @type {any} */ this.knownMatch = null;
    /** @type {import("../verify.js").Fair|null} */ this.checked = null;
    this.sheetOpen = false;
    this.rankingOpen = false;
    this.allWaits = false;
    /** The round that ended last, as its settlement was shown. @type {import("./sheets.js").Kept|null} */ this.lastRound = null;
    /** The settlement on show is that of the last round, while the next one is played. */
    this.looksBack = false;
    /** Why the room is closed, when the match's result is still on show. @type {string|undefined} */ this.over = undefined;
    this.allRivers = this.allWaits = false;
    this.line = "open";
    this.saving = false;
    /** Which tile is which, their elements, and the view that was drawn last. */
    this.pieces = noPieces();
    this.tiles = new Tiles();
    /** @type {import("../view.js").View|null} */ this.shownView = null;
    /** Ends the moment of a win that is on show. @type {(() => void)|null} */ this.moment = null;
    /** Entries since the last drawing; -1: everything came anew. */ this.unseen = -1;
    this.input = new Input(this, this.gone.signal);
    this.socket = new TableSocket({
      ticket: () => post(`/rooms/${encodeURIComponent(roomId)}/ticket`),
      events: (events) => this.happened(events),
      synced: () => this.synced(),
      changed: () => this.schedule(),
      notice: (kind, data) => this.notice(kind, data),
      line: (state, reason) => this.lineChanged(state, reason),
    });
  }

  async start() {
    document.body.classList.add("playing");
    const room = await get(`/rooms/${encodeURIComponent(this.roomId)}`);
    [this.face, this.meta] = [await faceOf(room.variant), await variantMeta(room.variant)];
    this.names = { ...this.meta?.reason_names, ...this.meta?.pattern_names };
    this.build();
    await this.socket.open();
  }

  stop() {
    clearTimeout(this.shutting);
    this.passing.stop();
    this.gone.abort();
    this.moment?.();
    attend(null);
    document.body.classList.remove("playing");
    this.socket.close();
    this.root.replaceChildren();
  }

  /** Puts the frame in place and listens to it. */
  build() {
    this.menu = menu(this);
    this.slots = slots();
    const rivers = PLACES.map((place) => this.slots[riverSlot(place)]);
    for (const row of rivers) row.addEventListener("click", () => this.unfold());
    this.app = frame(this.slots, this.menu);
    listen(this.slots.hand, this.input, this.gone.signal);
    this.root.replaceChildren(this.app, this.slots.sheet);
  }

  /** All discards at once, and back. */
  unfold() {
    this.allRivers = !this.allRivers;
    this.schedule();
  }

  schedule() {
    if (this.planned) return;
    this.planned = true;
    queueMicrotask(() => {
      this.planned = false;
      this.draw();
    });
  }

  /** Everything came anew: facts kept beside the view may be outdated. */
  synced() {
    this.unseen = -1;
    this.moment?.();
    this.moment = null;
    this.hintKey = "";
    this.clocks = {};
    this.saving = false;
    this.knownMatch = null;
    this.sheetOpen = ["between", "ended"].includes(this.socket.match.phase);
    if (this.socket.view?.ended && this.checked === null) this.check(this.socket.view);
  }

  /** @param {any[]} events */
  happened(events) {
    const view = this.socket.view;
    if (!view) return;
    const types = new Set(events.map((e) => e.type));
    if (this.unseen >= 0 && events.length) this.unseen += 1;
    if (types.has("points_moved") && view.phase !== "over") this.passing.fly(pointsMoved(events, view.players));
    if (types.has("round_started")) {
      this.looksBack = (this.sheetOpen || this.moment !== null) && this.lastRound !== null && this.onAutoplay;
      if (this.looksBack) this.shutLater();
      if (this.socket.match.played === 0) callFor(t("人齐了，开局"), this.roundTitle(this.socket.match));
      this.moment?.();
      this.moment = null;
      this.checked = null;
      this.sheetOpen = this.rankingOpen = this.allRivers = false;
    }
    callouts(this, events);
    openings(this, events);
    if (types.has("round_ended")) {
      this.check(view);
      if (types.has("won")) this.momentOf(view);
      else this.sheetOpen = true;
    }
    hear(events, { me: this.seat, face: this.face, dealer: view.dealer, placeOf: (seat) => placeOf(seat, this.viewpoint, view.players) });
    for (const e of events) this.speak(e);
  }

  /** A win is seen on the table before its sheet covers it. @param {import("../view.js").View} view */
  momentOf(view) {
    this.moment?.();
    this.moment = winMoment(this, view, () => {
      this.moment = null;
      this.openSheet();
    });
  }

  /** Tiles fly when one or two entries came since the last drawing; after an absence, or for who wants none, they lie at once. */
  mayMove() {
    const few = this.unseen > 0 && this.unseen <= ENTRIES_TO_FLY;
    this.unseen = 0;
    return few && document.visibilityState === "visible" && !calm();
  }

  /** @param {import("../view.js").View} view */
  check(view) {
    this.checked = checkRound(this, view);
    this.schedule();
  }

  /** Am I played for? @returns {boolean} */
  get onAutoplay() {
    return this.seat !== null && Boolean(this.socket.match?.seats[this.seat]?.autoplay);
  }

  /** If all others are ready at once, a player on autoplay still sees for a while how the round ended. */
  shutLater() {
    clearTimeout(this.shutting);
    this.shutting = setTimeout(() => this.closeSheet(), LOOK_BACK_MS);
  }

  /** The last round's settlement again, while the next one is played. */
  review() {
    clearTimeout(this.shutting);
    this.looksBack = true;
    this.schedule();
  }

  /** The polite live region: what the others did. @param {any} e */
  speak(e) {
    if (e.seat === undefined || e.seat === this.seat) return;
    const who = this.who(e.seat);
    if (e.type === "tile_discarded") say(`${who} ${t("打出")} ${name(e.tile, lang, this.face.dots)}`);
    if (e.type === "meld_made") say(`${who} ${t(this.face.kinds[e.kind] ?? "暗牌")}`);
    if (e.type === "won") say(`${who} ${t("胡牌")}`);
  }

  /** The seat that is drawn at the bottom: mine, or the one from which I watch. */
  get viewpoint() {
    return this.seat ?? Math.min(this.watched, (this.socket.view?.players ?? 1) - 1);
  }

  /** A spectator looks from another seat. @param {number} seat */
  watch(seat) {
    this.watched = seat;
    this.shownView = null;
    this.schedule();
  }

  get seat() {
    return this.socket.me?.seat ?? null;
  }

  /** @param {number} seat */
  who(seat) {
    const person = this.socket.match?.seats[seat];
    if (seat === this.seat) return t("我");
    return person?.bot ? `${t("电脑")}${seat + 1}` : (person?.name ?? `${seat + 1}`);
  }

  /** Milliseconds left on a match clock, null when it does not run. @param {string} what */
  left(what) {
    return this.clocks[what] === undefined ? null : Math.max(0, this.clocks[what] - performance.now());
  }

  /** When a match clock ends: changes only when the clock does. @param {string} what */
  countdown(what) {
    return this.clocks[what];
  }

  draw() {
    const { view, match, decision } = this.socket;
    if (!match || !this.app?.isConnected) return;
    if (match !== this.knownMatch) {
      const known = this.knownMatch?.refused?.number;
      if (this.knownMatch && match.refused && match.refused.number !== known)
        this.passing.tell(voteNews(match.refused, (s) => this.who(s)));
      if (match.vote && !this.knownMatch?.vote) callFor(t("{0} 申请解散房间", this.who(match.vote.by)), this.roundTitle(match));
      this.knownMatch = match;
      this.offline = new Set(match.seats.flatMap((/** @type {any} */ s, /** @type {number} */ at) => (s && !s.online ? [at] : [])));
      this.records.follow(match);
      this.begin(match);
    }
    this.drawTitle(match);
    const lobby = match.phase === "waiting" && !view;
    this.app.classList.toggle("before", lobby);
    this.slots.lobby.hidden = !lobby;
    if (lobby) redraw(this.slots.lobby, [match, this.socket.room, this.seat, [...this.offline], this.clocks.ready], () => [waiting(this)]);
    if (view) drawBoard(this, view, match, decision);
    this.app.classList.toggle("lost", this.line === "lost");
    this.app.classList.toggle("auto", this.seat !== null && Boolean(match.seats[this.seat]?.autoplay) && match.phase === "playing");
    drawBars(this, match);
    drawSheet(this, view, match);
  }

  /** A practice table fills itself, and a player from quick match wants to play. @param {any} match */
  begin(match) {
    if (match.phase !== "waiting" || this.seat === null || match.seats[this.seat]?.ready || this.begun) return;
    const practice = sessionStorage.getItem(`practice-${this.roomId}`);
    if (!practice && match.host !== null) return;
    this.begun = true;
    if (practice) this.ask("fill");
    this.ready();
  }

  /** @param {any} match */
  roundTitle(match) {
    return `${t(this.meta?.name_zh ?? "")} · ${match.played}/${match.rounds} ${t(this.face.unit)}`;
  }

  /** @param {any} match */
  drawTitle(match) {
    const code = String(this.socket.room?.code ?? "").replace(/(...)/, "$1 ");
    redraw(this.slots.title, [match.played, code, match.phase], () => [
      h("b", { text: t(this.face.short ?? this.meta?.name_zh ?? "") }),
      h("span", {
        class: "num",
        text: `${Math.min(match.played + (match.phase === "playing" ? 1 : 0), match.rounds)}/${match.rounds} ${t(this.face.unit)}`,
      }),
      h("span", { class: "num code", text: `${t("房间")} ${code}` }),
    ]);
  }

  closeSheet() {
    clearTimeout(this.shutting);
    this.sheetOpen = this.looksBack = false;
    this.schedule();
  }

  /** A question of mine is more urgent than how the last round went. */
  closeLook() {
    if (this.looksBack) this.closeSheet();
  }

  openSheet() {
    this.sheetOpen = true;
    this.schedule();
  }

  ready() {
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    return this.ask("ready", { entropy: kept(this, [...bytes].map((b) => b.toString(16).padStart(2, "0")).join("")) });
  }

  /** @param {string} kind @param {any} [data] */
  async ask(kind, data) {
    if (kind === "unready" || kind === "seat") takenBack(this);
    try {
      return await this.socket.send(kind, data);
    } catch (error) {
      if (error instanceof Refusal) showRefusal(error);
    }
  }

  /** @param {string} kind @param {any} data */
  notice(kind, data) {
    if (kind === "presence" && data.online) this.offline.delete(data.seat);
    if (kind === "presence" && !data.online) this.offline.add(data.seat);
    if (kind === "saving") this.saving = data.on;
    if (kind === "chat") this.passing.hear(data);
    if (kind === "notice") toast(data.text);
    if (kind === "countdown" && data.left_ms === null) delete this.clocks[data.what];
    else if (kind === "countdown") this.clocks[data.what] = performance.now() + data.left_ms;
    this.schedule();
  }

  /** @param {"open"|"lost"|"final"} state @param {string} [reason] */
  lineChanged(state, reason) {
    this.line = state;
    if (state !== "final") return this.schedule();
    const { ended } = this.socket.match ?? {};
    const over = ended?.ranking.length && !["replaced", "version", "removed"].includes(reason ?? "");
    if (!over) return void this.root.replaceChildren(gone.page(reason, ended?.note));
    this.over = reason;
    this.sheetOpen = this.rankingOpen = true;
    this.schedule();
  }
}
