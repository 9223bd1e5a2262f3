// @ts-check
/** Joining by a six-digit code: cells that look like tiles, a keypad that also takes the keyboard, and links. */
import { get, post, signIn } from "../api.js";
import { h, icon } from "../dom.js";
import { t } from "../i18n.js";
import { showRefusal } from "../refusals.js";
import { Refusal } from "../socket.js";
import { question } from "../speak.js";
import { enter } from "./enter.js";

const LENGTH = 6;

/** Sits down at the table of a code; where no seat is free, offers to watch if the room lets one. @param {string} code */
async function joinByCode(code) {
  const room = await get(`/codes/${encodeURIComponent(code)}`);
  try {
    await post(`/rooms/${encodeURIComponent(room.id)}/join`);
  } catch (error) {
    const late = error instanceof Refusal && ["room_full", "not_now"].includes(error.code);
    if (!late || !mayWatch(room)) throw error;
    if ((await question(t("{0}。去旁观吗？", t(LATE[error.code])), { yes: t("去旁观") })) === null) return false;
  }
  enter(room);
  return true;
}

/** @type {Record<string, string>} */
const LATE = { room_full: "房间已坐满", not_now: "牌局已经开始" };

/** Only members of a circle can look its rooms up at all. @param {any} room */
const mayWatch = (room) => room.settings.spectators === "all" || (room.settings.spectators === "members" && room.circle !== null);

/** A link `#/join/428193`. @param {HTMLElement} root @param {string} code */
export async function openLink(root, code) {
  await signIn();
  root.replaceChildren(h("main", { class: "gone" }, h("p", { text: `${t("房间")} ${code}` })));
  if (!(await joinByCode(code))) location.hash = "#/";
}

export function joinCard() {
  let code = "";
  const cells = h("output", { class: "cells num", "aria-live": "polite" });
  const go = async () => {
    try {
      await joinByCode(code);
    } catch (error) {
      showRefusal(error);
    }
  };
  const join = /** @type {HTMLButtonElement} */ (h("button", { class: "btn main", type: "button", text: t("加入"), on: { click: go } }));
  const show = () => {
    cells.replaceChildren(
      ...Array.from({ length: LENGTH }, (_, at) => h("span", { class: at === code.length ? "cur" : "", text: code[at] ?? "" })),
    );
    cells.setAttribute("aria-label", code.split("").join(" "));
    join.disabled = code.length < LENGTH;
  };
  const add = (/** @type {string} */ digit) => {
    if (code.length < LENGTH) code += digit;
    show();
  };
  const cut = (/** @type {string} */ rest) => {
    code = rest;
    show();
  };
  const key = (/** @type {any} */ face, /** @type {() => void} */ run, /** @type {string|undefined} */ label) =>
    h("button", { class: "key num", type: "button", "aria-label": label, on: { click: run } }, face);
  const card = h(
    "section",
    { class: "card join", id: "join", "aria-label": t("输入房号") },
    h("h2", { text: t("输入房号") }),
    cells,
    h(
      "div",
      { class: "pad" },
      [..."123456789"].map((d) => key(d, () => add(d), undefined)),
      key(t("清空"), () => cut(""), undefined),
      key("0", () => add("0"), undefined),
      key(icon("del"), () => cut(code.slice(0, -1)), t("删除")),
    ),
    join,
  );
  card.addEventListener("keydown", (e) => {
    if (/^\d$/.test(e.key)) add(e.key);
    else if (e.key === "Backspace") cut(code.slice(0, -1));
    else if (e.key === "Enter" && code.length === LENGTH && e.target === join) return;
  });
  card.addEventListener("paste", (e) => cut((e.clipboardData?.getData("text") ?? "").replace(/\D/g, "").slice(0, LENGTH)));
  show();
  return card;
}
