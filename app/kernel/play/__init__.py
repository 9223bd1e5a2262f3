"""How a round is driven: commands, decisions and their answers, claims, entries, the shuffle."""
