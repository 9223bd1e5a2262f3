// @ts-check
/** Terms that stay Chinese on the table: how each is said and what it means, for readers of English. */
import { h } from "./dom.js";

/** @param {import("./variants/generic.js").Term[]} terms */
export const termList = (terms) =>
  h(
    "dl",
    { class: "glossary" },
    terms.map(([term, sound, meaning]) =>
      h(
        "div",
        {},
        h("dt", {}, h("b", { lang: "zh", text: term }), h("small", { lang: "zh-Latn-pinyin", text: sound })),
        h("dd", { text: meaning }),
      ),
    ),
  );
