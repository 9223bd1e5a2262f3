"""The match (一场) as a decider: who sits, is ready, votes, leaves; pure values, like a round of a game.

`decide` judges, `evolve` folds, `timers` says which clocks run, `view` what people see. No clock, no sockets, no rules
of a game: those come in as `Meta` and as finished rounds.
"""
