// `node folded.mjs GOLDEN.json`: the stranger's fold on golden streams. Prints how many views were compared.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { fold } from "./fold.mjs";

let compared = 0;
for (const { streams } of JSON.parse(readFileSync(process.argv[2], "utf8")).rounds) {
  for (const { batches, views } of Object.values(streams)) {
    let [view, done] = [null, 0];
    for (const kept of views) {
      while (done < kept.after) for (const event of batches[done++]) view = fold(view, event);
      assert.deepEqual(view, kept.view);
      compared += 1;
    }
  }
}
console.log(compared);
