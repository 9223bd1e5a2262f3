"""The match (一场) as a decider: who sits, is ready, votes, leaves; pure values, like a round of a game.

`decide` judges, `evolve` folds, `timers` names the running clocks, `view` builds people's views. No clock, no sockets,
no rules of a game: those come in as `Meta` and as finished rounds.
"""
