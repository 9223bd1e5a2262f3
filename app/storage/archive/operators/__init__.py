"""Operators, their scopes, and their look-ups."""
