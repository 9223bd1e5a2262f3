// @ts-check
/** Saving a room template (玩法) of a circle: a name, a game, all options. */
import { post } from "../api.js";
import { h } from "../dom.js";
import { t } from "../i18n.js";
import { LIMITS } from "../limits.js";
import { tried } from "../refusals.js";
import { optionsForm } from "./form.js";

/** @param {HTMLElement} root @param {string} path of the circle @param {any[]} variants @param {any[]} settings @param {() => void} done */
export function newTemplate(root, path, variants, settings, done) {
  const name = /** @type {HTMLInputElement} */ (
    h("input", { required: true, maxlength: LIMITS.name, "aria-label": t("名字"), placeholder: t("例如：常规八局") })
  );
  const page = h("main", { class: "page lobby-form" });
  const draw = (/** @type {any} */ chosen) => {
    const rules = optionsForm(chosen.options);
    const table = optionsForm(settings, {}, true);
    const save = async (/** @type {Event} */ e) => {
      e.preventDefault();
      if (!rules.sound() || !table.sound()) return;
      const body = { name: name.value, variant: chosen.slug, rules: rules.values, settings: table.values };
      if (await tried(() => post(`${path}/templates`, body))) done();
    };
    page.replaceChildren(
      h("header", {}, h("h1", { text: t("存一个玩法") })),
      h(
        "form",
        { class: "card", on: { submit: save } },
        name,
        h(
          "select",
          { "aria-label": t("玩法"), on: { change: (/** @type {any} */ e) => draw(variants[e.target.selectedIndex]) } },
          variants.map((v) => h("option", { value: v.slug, selected: v === chosen, text: t(v.name_zh) })),
        ),
        rules.element,
        h("details", { class: "more-options" }, h("summary", { text: t("桌设置") }), table.element),
        h(
          "div",
          { class: "line" },
          h("button", { class: "btn sm quiet", type: "button", text: t("取消"), on: { click: done } }),
          h("button", { class: "btn main", type: "submit", text: t("保存") }),
        ),
      ),
    );
  };
  draw(variants[0]);
  root.replaceChildren(page);
}
