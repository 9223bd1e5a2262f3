"""Clients of a table that the lab plays with: one that folds its frames, many at once, some that stop reading."""
