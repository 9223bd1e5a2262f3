// @ts-check
/** The parts of the operators' page: what each shows and which orders it gives. */
import { h } from "../dom.js";
import { t } from "../i18n.js";
import { tried } from "../refusals.js";
import { moment } from "./history.js";
import { roomsPart } from "./live.js";
import { auditPart, nodesPart } from "./log.js";
import { ask, get, small, withReason } from "./orders.js";

/** @type {Record<string, (draw: () => void, me: any) => Promise<Node[]|Node>>} */
export const PARTS = {
  rooms: roomsPart,
  people: peoplePart,
  reports: reportsPart,
  nodes: nodesPart,
  audit: auditPart,
};

/** @param {() => void} draw */
async function peoplePart(draw) {
  const found = h("ul", { class: "rows" });
  const name = /** @type {HTMLInputElement} */ (h("input", { "aria-label": t("名字"), placeholder: t("名字开头"), required: true }));
  const search = async (/** @type {Event} */ e) => {
    e.preventDefault();
    await tried(async () => {
      const { items } = await get(`/users?name=${encodeURIComponent(name.value)}`);
      found.replaceChildren(
        ...(items.length ? items.map((/** @type {any} */ u) => personRow(u, draw)) : [h("li", { text: t("没有找到") })]),
      );
    });
  };
  const { items } = await get("/sanctions");
  return [
    h(
      "section",
      { class: "card", "aria-label": t("玩家") },
      h(
        "form",
        { class: "line", on: { submit: search } },
        h("span", { class: "g" }, name),
        h("button", { class: "btn sm", type: "submit", text: t("查找") }),
      ),
      found,
    ),
    h(
      "section",
      { class: "card", "aria-label": t("处罚") },
      h("h2", { text: t("处罚") }),
      items.length
        ? h(
            "ul",
            { class: "rows" },
            items.map((/** @type {any} */ s) =>
              h(
                "li",
                {},
                h(
                  "span",
                  { class: "g" },
                  h("b", { text: `${s.name ?? s.user_id ?? t("设备")} · ${t(s.kind === "ban" ? "封禁" : "禁言")}` }),
                  h("small", {
                    text: [s.reason, s.imposed_by, moment(s.created_at), s.until ? t("到 {0}", moment(s.until)) : t("直到解除")].join(
                      " · ",
                    ),
                  }),
                ),
                s.in_force
                  ? small("解除", () => withReason(t("解除"), "解除", (reason) => ask("POST", `/sanctions/${s.id}/lift`, { reason }), draw))
                  : h("span", { class: "chip", text: t("已失效") }),
              ),
            ),
          )
        : h("p", { class: "none", text: t("没有") }),
    ),
  ];
}

/** @param {any} u @param {() => void} draw */
const personRow = (u, draw) =>
  h(
    "li",
    {},
    h(
      "span",
      { class: "g" },
      h("b", { text: u.name }),
      h("small", { text: `${t(u.registered ? "账号" : "游客")} · ${moment(u.created_at)}` }),
    ),
    small("禁言", () => withReason(t("禁言 {0}", u.name), "禁言", (reason) => ask("POST", `/users/${u.id}/mute`, { reason }), draw)),
    small(
      "封禁",
      () =>
        withReason(
          t("封禁 {0} 和他的设备", u.name),
          "封禁",
          (reason) => ask("POST", `/users/${u.id}/ban`, { reason, devices: true }),
          draw,
        ),
      "ban",
    ),
  );

/** @param {() => void} draw */
async function reportsPart(draw) {
  const { items } = await get("/reports");
  return h(
    "section",
    { class: "card", "aria-label": t("举报") },
    items.length
      ? h(
          "ul",
          { class: "rows" },
          items.map((/** @type {any} */ r) =>
            h(
              "li",
              {},
              h(
                "span",
                { class: "g" },
                h("b", { text: `${r.reporter} → ${r.reported}` }),
                h("small", { text: `${r.reason} · ${r.text} · ${moment(r.created_at)}` }),
              ),
              small("处理", () =>
                withReason(t("怎样处理的"), "处理", (reason) => ask("POST", `/reports/${r.id}/handle`, { reason }), draw),
              ),
            ),
          ),
        )
      : h("p", { class: "none", text: t("没有") }),
  );
}
