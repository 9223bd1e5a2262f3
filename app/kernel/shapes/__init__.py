"""Hand analysis: counts, sets and pairs, decompositions, wildcards, waits, distance. Knows shapes, never points."""
