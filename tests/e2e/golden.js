// Put into a page by the tests: the client's own modules on the golden streams; what differs comes back.

/** A value as text, keys in order. */
const told = (value) =>
  JSON.stringify(value, (_key, x) => (x && typeof x === "object" && !Array.isArray(x) ? Object.fromEntries(Object.entries(x).sort()) : x));

/** Every kept view, against the fold of all batches before it. */
window.folded = async (rounds) => {
  const { fold } = await import("/static/view.js");
  const wrong = [];
  let compared = 0;
  for (const { name, streams } of rounds) {
    for (const [viewer, { batches, views }] of Object.entries(streams)) {
      let view = null;
      let done = 0;
      for (const kept of views) {
        while (done < kept.after) for (const event of batches[done++]) view = fold(view, event);
        compared++;
        if (told(view) !== told(kept.view)) wrong.push([name, viewer, kept.after, told(view), told(kept.view)]);
      }
    }
  }
  return { wrong, compared };
};

/** Every record, from the first two seats and open; its shuffle checked, and not when two tiles of the wall are swapped. */
window.replayed = async (rounds) => {
  const { steps, tableAt } = await import("/static/pages/replay.js");
  const { verified } = await import("/static/verify.js");
  const wrong = [];
  for (const { name, record, streams } of rounds) {
    const list = steps(record);
    for (const viewer of [0, 1]) {
      if (told(tableAt(list, list.length, viewer)) !== told(streams[viewer].views.at(-1).view)) wrong.push([name, viewer]);
    }
    const open = tableAt(list, list.length, -2);
    if (verified(open) !== true) wrong.push([name, "not verified"]);
    const { wall } = open.ended;
    const other = wall.match(/../g).findIndex((tile) => tile !== wall.slice(0, 2)) * 2;
    const swapped = wall.slice(other, other + 2) + wall.slice(2, other) + wall.slice(0, 2) + wall.slice(other + 2);
    if (verified({ ...open, ended: { ...open.ended, wall: swapped } })) wrong.push([name, "a swapped wall passes"]);
  }
  return wrong;
};

/** Prices of offers and tiles of sets, as a face shows them; what differs from the rules comes back. */
window.priced = async (slug, rows) => {
  const { faceOf } = await import("/static/variants/generic.js");
  const face = await faceOf(slug);
  return rows.filter(({ scoring, offer, price, tiles }) => {
    const view = { rules: { scoring }, last: null };
    const said = Number(face.price(offer, view).match(/\d+$/)[0]);
    return said !== price || (tiles && told(face.choiceTiles(offer, view)) !== told(tiles));
  });
};

/** Kinds that count and their tab, as a face marks them; what differs from the rules comes back. */
window.marked = async (slug, rows) => {
  const { faceOf } = await import("/static/variants/generic.js");
  const face = await faceOf(slug);
  return rows.filter(({ rules, flip, weekday, gold, plain }) => {
    const flips = flip ? [{ role: "flip", tile: flip }] : [];
    const found = face.marks({ rules, flips, marks: [{ mark: "weekday", seat: null, value: weekday }] });
    const of = (glyph) => Object.keys(found).filter((kind) => found[kind] === glyph);
    return told([of("金").sort(), of("鸡").sort()]) !== told([gold, plain]);
  });
};

/** Each record against what a page would have kept before its deal, true and false; what the check says comes back. */
window.anchored = async (rounds) => {
  const { tableAt, steps } = await import("/static/pages/replay.js");
  const { dealOf, fairness } = await import("/static/verify.js");
  const { keep, recall, forget } = await import("/static/seen.js");
  const order = (tile) => "mpsz".indexOf(tile[1]) * 10 + Number(tile[0]);
  return rounds.map(({ record }) => {
    const list = steps(record);
    const view = tableAt(list, list.length, -2);
    const kinds = [...new Set(record.wall.match(/../g))].sort((a, b) => order(a) - order(b));
    const drawn = dealOf(record.seed, record.contributions, kinds, record.dice.length, view.players).seat;
    const of = { room: "r", user: "u", round: record.round_no };
    const seen = { ...of, commitment: view.commitment, entropy: view.contributions[1], dealer: view.dealer, series: 2 };
    const now = { seat: 1, series: 2, dice: record.dice.length, draws: true };
    const said = (change, at = {}) => {
      keep({ ...seen, ...change });
      return fairness(view, recall(of), { ...now, ...at }).ok;
    };
    const held = [said({}), said({ dealer: drawn, series: 2 }, { series: 3 }) === (drawn === view.dealer)];
    const missed = [said({ commitment: "ab" }), said({ entropy: "other" }), said({ dealer: (view.dealer + 1) % view.players })];
    forget(of);
    return { held, missed, alone: fairness(view, recall(of), now).note === fairness(view).note, kept: recall(of) };
  });
};

/** Ids of tiles through every record, from the first seat and open: doubled, or fewer than the tiles that show. */
window.identified = async (rounds) => {
  const { steps, tableAt } = await import("/static/pages/replay.js");
  const { follow, noPieces } = await import("/static/table/identity.js");
  const wrong = [];
  for (const { name, record } of rounds) {
    const list = steps(record);
    for (const viewer of [0, -2]) {
      let pieces = noPieces();
      for (let at = 1; at <= list.length; at++) {
        const view = tableAt(list, at, viewer);
        if (!view) continue;
        pieces = follow(pieces, view, []);
        const ids = pieces.seats.flatMap((s) => [s.hand, s.drawn ?? [], s.row, s.melds].flat(2)).map((p) => p.id);
        const tiles = view.seats.reduce((sum, s) => sum + s.count + s.row.length / 2 + s.melds.reduce((n, m) => n + m.count, 0), 0);
        if (new Set(ids).size !== ids.length || ids.length !== tiles) wrong.push([name, viewer, at, ids.length, tiles]);
      }
    }
  }
  return wrong;
};
