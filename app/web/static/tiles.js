// @ts-check
// Tile faces drawn by code: 34 kinds (mpsz text, 1m-9m 1p-9p 1s-9s 1z-7z = 东南西北白发中) and the back.
// Flat layers only: no gradient, no filter, no raster, no font of our own. Art box 72 x 92, tile 72 x 101.
import { t } from "./i18n.js";

const NS = "http://www.w3.org/2000/svg";
export const INK = {
  red: "#b01e2d",
  green: "#12704a",
  blue: "#1c4596",
  black: "#1d2530",
  face: "#f8f3e6",
  lip: "#e0d6bd",
  rim: "#cfc3a5",
  jade: "var(--back)",
  jadeDark: "var(--back-lo)",
  jadeLine: "var(--back-line)",
  mark: "#0d5a66",
  onMark: "#fdf8ea",
  accent: "var(--light)",
};
const SERIF =
  '"Songti SC","STSong","Noto Serif CJK SC","Noto Serif SC","Source Han Serif SC","STZhongsong","PingFang SC","Microsoft YaHei","Noto Sans CJK SC",serif';

/** @param {string} name @param {Record<string, any>} attrs @param {...any} kids @returns {SVGElement} */
const el = (name, attrs, ...kids) => {
  const e = /** @type {SVGElement} */ (document.createElementNS(NS, name));
  for (const k in attrs) if (attrs[k] != null) e.setAttribute(k, attrs[k]);
  e.append(...kids.filter(Boolean));
  return e;
};
const R = INK.red,
  G = INK.green,
  B = INK.blue;

// --- 筒: a disc, an ivory ring, a core. Big enough to count at 28 px.
const dot = (/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ r, /** @type {string} */ c) =>
  el(
    "g",
    {},
    el("circle", { cx: x, cy: y, r, fill: c }),
    el("circle", { cx: x, cy: y, r: r * 0.58, fill: INK.face }),
    el("circle", { cx: x, cy: y, r: r * 0.34, fill: c }),
  );
const bigDot = () => {
  const petals = [];
  for (let i = 0; i < 8; i++)
    petals.push(el("ellipse", { cx: 36, cy: 31.5, rx: 4.6, ry: 7.6, fill: i % 2 ? G : B, transform: `rotate(${i * 45} 36 46)` }));
  return [
    el("circle", { cx: 36, cy: 46, r: 29, fill: G }),
    el("circle", { cx: 36, cy: 46, r: 24, fill: INK.face }),
    ...petals,
    el("circle", { cx: 36, cy: 46, r: 8.2, fill: R }),
    el("circle", { cx: 36, cy: 46, r: 3, fill: INK.face }),
  ];
};
/** @type {Record<number, any[]>} */
const DOTS = {
  2: [
    [36, 24, 17, G],
    [36, 68, 17, B],
  ],
  3: [
    [17, 18, 13, B],
    [36, 46, 13, R],
    [55, 74, 13, G],
  ],
  4: [
    [20, 22, 13.2, B],
    [52, 22, 13.2, G],
    [20, 70, 13.2, G],
    [52, 70, 13.2, B],
  ],
  5: [
    [18, 19, 12, B],
    [54, 19, 12, G],
    [36, 46, 12, R],
    [18, 73, 12, G],
    [54, 73, 12, B],
  ],
  6: [
    [21, 18, 11, G],
    [51, 18, 11, G],
    [21, 49, 11, R],
    [51, 49, 11, R],
    [21, 75, 11, R],
    [51, 75, 11, R],
  ],
  7: [
    [14, 14, 9.5, G],
    [36, 23, 9.5, G],
    [58, 32, 9.5, G],
    [22, 55, 10.5, R],
    [50, 55, 10.5, R],
    [22, 78, 10.5, R],
    [50, 78, 10.5, R],
  ],
  8: [14, 35.5, 57, 78.5].flatMap((y) => [
    [22, y, 10, B],
    [50, y, 10, B],
  ]),
  9: [
    [17, B],
    [46, R],
    [75, G],
  ].flatMap(([y, c]) => [14, 36, 58].map((x) => [x, y, 10, c])),
};

// --- 条: a stick of two waisted joints with a thin light.
const stick = (/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ len, /** @type {string} */ c, turn = 0) => {
  const t = y - len / 2,
    h = len / 2 - 1;
  const joint = (/** @type {number} */ top) =>
    `M${x - 3.9} ${top + 3}Q${x - 5.6} ${top} ${x - 3} ${top}H${x + 3}Q${x + 5.6} ${top} ${x + 3.9} ${top + 3}V${top + h - 3}Q${x + 5.6} ${top + h} ${x + 3} ${top + h}H${x - 3}Q${x - 5.6} ${top + h} ${x - 3.9} ${top + h - 3}Z`;
  return el(
    "g",
    { transform: turn ? `rotate(${turn} ${x} ${y})` : null },
    el("path", { d: joint(t) + joint(y + 1), fill: c }),
    el("path", {
      d: `M${x - 1.4} ${t + 4}V${y - 4}M${x - 1.4} ${y + 4}V${t + len - 4}`,
      stroke: "#fff",
      "stroke-width": 1.3,
      opacity: 0.55,
    }),
  );
};
const row = (/** @type {number[]} */ xs, /** @type {number} */ y, /** @type {number} */ len, /** @type {string} */ c) =>
  xs.map((/** @type {number} */ x) => stick(x, y, len, c));
/** @type {Record<number, () => SVGElement[]>} */
const STICKS = {
  2: () => [stick(36, 24, 37, B), stick(36, 68, 37, G)],
  3: () => [stick(36, 24, 37, B), ...row([21, 51], 68, 37, G)],
  4: () => [stick(21, 24, 37, B), stick(51, 24, 37, G), stick(21, 68, 37, G), stick(51, 68, 37, B)],
  5: () => [stick(15, 24, 37, G), stick(57, 24, 37, B), stick(36, 46, 37, R), stick(15, 68, 37, B), stick(57, 68, 37, G)],
  6: () => [...row([15, 36, 57], 24, 37, G), ...row([15, 36, 57], 68, 37, B)],
  7: () => [stick(36, 17, 25, R), ...row([15, 36, 57], 46, 25, G), ...row([15, 36, 57], 75, 25, G)],
  8: () => [
    stick(11, 25, 36, G),
    stick(61, 25, 36, G),
    stick(27, 26, 34, G, -27),
    stick(45, 26, 34, G, 27),
    stick(11, 67, 36, B),
    stick(61, 67, 36, B),
    stick(27, 66, 34, B, 27),
    stick(45, 66, 34, B, -27),
  ],
  9: () =>
    [
      [15, B],
      [36, R],
      [57, G],
    ].flatMap(([x, c]) => [17, 46, 75].map((y) => stick(Number(x), y, 25, String(c)))),
};
// 1条: a sparrow on a bamboo perch; also the mark of the project.
export const sparrow = () => [
  el("path", { d: "M40 56 L67 79 L60 84 L53 81 L50 87 L32 66Z", fill: R }),
  el("path", { d: "M43 60 L62 80 M38 64 L52 83", stroke: INK.face, "stroke-width": 1.8 }),
  el("path", { d: "M14 30C14 15 36 9 45 23C60 31 64 52 50 64C35 76 15 66 15 47C15 41 13 36 14 30Z", fill: G }),
  el("path", { d: "M17 44C17 60 29 69 41 65C33 60 26 53 25 42C22 44 19 45 17 44Z", fill: INK.face }),
  el("path", { d: "M33 36C50 35 61 48 58 66C44 66 32 54 33 36Z", fill: B }),
  el("path", {
    d: "M38 43C47 45 52 51 53 59 M36 50C42 53 47 58 48 63",
    stroke: INK.face,
    "stroke-width": 2,
    fill: "none",
    "stroke-linecap": "round",
  }),
  el("path", { d: "M15 24C19 10 38 9 44 21C35 17 24 18 15 24Z", fill: R }),
  el("path", { d: "M15 26L3 33L15 37Z", fill: R }),
  el("circle", { cx: 25, cy: 28, r: 4.6, fill: INK.face }),
  el("circle", { cx: 24.4, cy: 28, r: 2.5, fill: INK.black }),
  el("path", { d: "M27 66V78M35 68V78", stroke: INK.black, "stroke-width": 2.6, "stroke-linecap": "round" }),
  el("rect", { x: 6, y: 77, width: 30, height: 9, rx: 4, fill: G }),
  el("rect", { x: 38, y: 77, width: 10, height: 9, rx: 4, fill: G }),
];
const glyph = (/** @type {string} */ t, /** @type {number} */ y, /** @type {number} */ size, /** @type {string} */ fill, x = 36) =>
  el("text", { x, y: y + size * 0.365, "font-size": size, fill, "text-anchor": "middle" }, document.createTextNode(t));
const NUM = "一二三四五六七八九",
  WIND = "東南西北";
/** @param {string} kind @returns {SVGElement[]} */
function art(kind) {
  const n = +kind[0],
    s = kind[1];
  if (s === "p") return n === 1 ? bigDot() : DOTS[n].map((a) => dot(/** @type {number} */ (a[0]), a[1], a[2], a[3]));
  if (s === "s") return n === 1 ? sparrow() : STICKS[n]();
  if (s === "m") return [glyph(NUM[n - 1], 25, 43, INK.black), glyph("萬", 66, 42, R)];
  if (n < 5) return [glyph(WIND[n - 1], 46, 60, INK.black)];
  if (n === 6) return [glyph("發", 46, 60, G)];
  if (n === 7) return [glyph("中", 46, 62, R)];
  return [el("rect", { x: 9, y: 9, width: 54, height: 74, rx: 6, fill: "none", stroke: B, "stroke-width": 4.5 }), glyph("白", 46, 40, B)];
}
export const KINDS = ["m", "p", "s"]
  .flatMap((s) => [1, 2, 3, 4, 5, 6, 7, 8, 9].map((n) => n + s))
  .concat([1, 2, 3, 4, 5, 6, 7].map((n) => n + "z"));
/** @type {Record<string, string>} */
const SUIT_EN = { m: "characters", p: "dots", s: "bamboo" };
const EH = ["East", "South", "West", "North", "White", "Green", "Red"],
  ZH = ["东风", "南风", "西风", "北风", "白板", "发财", "红中"];
/** Spoken name; `dots` lets a variant say 饼 for 筒. */
export const name = (/** @type {string} */ kind, lang = "zh", dots = "筒") => {
  const n = +kind[0],
    s = kind[1];
  if (lang === "en") return s === "z" ? EH[n - 1] : `${n} of ${SUIT_EN[s]}`;
  const chinese = s === "z" ? ZH[n - 1] : NUM[n - 1] + (s === "m" ? "万" : s === "p" ? dots : "条");
  return lang === "zh-Hant" ? t(chinese) : chinese;
};

/** Put the 34 faces into the page once; every tile afterwards is a handful of nodes. */
export function sprite(doc = document) {
  if (doc.getElementById("qz-sprite")) return;
  const svg = el("svg", { id: "qz-sprite", width: 0, height: 0, "aria-hidden": "true", class: "qz-sprite" });
  for (const k of KINDS)
    svg.append(
      el("symbol", { id: "qz-" + k, viewBox: "0 0 72 92" }, el("g", { "font-family": SERIF, "font-weight": 900, lang: "zh" }, ...art(k))),
    );
  doc.body.prepend(svg);
}
/** The rotation of a face within its box, in quarter turns to the left. */
const TURNED = ["", "translate(0 72) rotate(-90) ", "translate(72 92) rotate(180) ", "translate(92 0) rotate(90) "];

/**
 * One tile. state: { wild, wildName, mark, drawn, last, dim, own, timed, selected, down, side, turn, label, lang, dots }.
 * `turn`: quarter turns to the left, 0 to 3; `side` is short for 1. `own`: discarded as it was drawn. `timed`: the clock would
 * throw it.
 * `blank` leaves the face empty (tiles behind a stack).
 * `mark` is one glyph in the corner tab; `wild` tints the face and is said aloud by `wildName`.
 * Width comes from CSS: 1em = one tile width.
 * @param {string} kind @param {Record<string, any>} [state]
 */
export function tile(kind, state = {}) {
  const s = state,
    turn = s.turn ?? (s.side ? 1 : 0),
    side = turn % 2 === 1,
    W = side ? 92 : 72,
    H = side ? 72 : 92,
    mark = s.mark;
  const cls = [
    "qt",
    side && "side",
    s.wild && "wild",
    s.drawn && "drawn",
    s.last && "last",
    s.dim && "dim",
    s.own && "as-drawn",
    s.selected && "selected",
    s.down && "down",
  ]
    .filter(Boolean)
    .join(" ");
  const label =
    s.label ??
    (s.down
      ? s.lang === "en"
        ? "face down"
        : "暗牌"
      : name(kind, s.lang, s.dots) + (s.wild && s.wildName ? (s.lang === "en" ? `, ${s.wildName}` : `，${s.wildName}`) : ""));
  const g = el("svg", {
    class: cls,
    viewBox: `0 0 ${W} ${H + 9}`,
    role: label ? "img" : null,
    "aria-label": label || null,
    "aria-hidden": label ? null : "true",
    focusable: "false",
  });
  const layer = (/** @type {number} */ y, /** @type {number} */ h, /** @type {string} */ fill, more = {}) =>
    el("rect", { x: 0, y, width: W, height: h, rx: 10, fill, ...more });
  g.append(layer(14, H - 1, "var(--drop)", { opacity: 0.38 }));
  if (s.down) {
    g.append(
      layer(8, H + 1, INK.rim),
      layer(4, H + 1, INK.jadeDark),
      layer(0, H, INK.jade),
      el("rect", {
        x: 7,
        y: 7,
        width: W - 14,
        height: H - 14,
        rx: 6,
        fill: "none",
        stroke: INK.jadeLine,
        "stroke-width": 2.5,
      }),
    );
    for (const r of [7, 14])
      g.append(
        el("rect", {
          x: W / 2 - r,
          y: H / 2 - r,
          width: r * 2,
          height: r * 2,
          rx: 2,
          fill: "none",
          stroke: INK.jadeLine,
          "stroke-width": 2.5,
          transform: `rotate(45 ${W / 2} ${H / 2})`,
        }),
      );
  } else {
    g.append(
      layer(8, H + 1, INK.jadeDark),
      layer(3, H + 2, INK.rim),
      layer(0, H, mark && s.wild ? "#fdeec4" : INK.face),
      el("rect", { x: 1, y: 1, width: W - 2, height: H - 2, rx: 9, fill: "none", stroke: INK.lip, "stroke-width": 2 }),
    );
    const k = mark ? 0.85 : 1,
      t = `${TURNED[turn]}${mark ? `translate(${72 - 72 * k - 1} ${92 - 92 * k - 1}) scale(${k})` : ""}`;
    if (!s.blank) g.append(el("use", { href: "#qz-" + kind, width: 72, height: 92, transform: t || null }));
    if (mark)
      g.append(
        el(
          "g",
          { transform: TURNED[turn] || null },
          el("path", { d: "M0 10A10 10 0 0 1 10 0H32A32 32 0 0 1 0 32Z", fill: INK.mark }),
          el(
            "text",
            {
              x: 13,
              y: 19.5,
              "font-size": 18,
              "font-weight": 700,
              fill: INK.onMark,
              "text-anchor": "middle",
              "font-family": '"PingFang SC","Noto Sans CJK SC","Microsoft YaHei",sans-serif',
            },
            document.createTextNode(mark),
          ),
        ),
      );
  }
  if (s.own) g.append(el("rect", { x: 0, y: 0, width: W, height: H, rx: 10, fill: "#1d2530", opacity: 0.2 }));
  if (s.timed)
    g.append(
      el("circle", { cx: 58, cy: 4, r: 15, fill: INK.black }),
      el("path", { d: "M58 -4V4L64 9", stroke: "#ffe0cf", "stroke-width": 3.5, fill: "none", "stroke-linecap": "round" }),
    );
  if (s.dim) g.append(layer(0, H + 9, "#0b2b30", { opacity: 0.52 }));
  if (s.last || s.selected)
    g.append(
      el("rect", {
        class: "ring",
        x: 0,
        y: 0,
        width: W,
        height: H,
        rx: 10,
        fill: "none",
        stroke: INK.accent,
        "stroke-width": 7,
      }),
    );
  if (s.last) g.append(el("path", { class: "pip", d: `M${W / 2 - 12} -17H${W / 2 + 12}L${W / 2} -4Z`, fill: INK.accent }));
  return g;
}
