"""Vocabulary and mechanics that all variants share. Pure: standard library only; no clock, chance, I/O or logging.

Start with `README.md` (how to drive a round), then `events.py` and `variant.py`. Nothing here may know a game by name.
"""
