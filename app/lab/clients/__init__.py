"""Clients of a table that the lab plays with: one that folds what it is sent, many at once, some that stop reading."""
