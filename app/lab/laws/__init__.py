"""Rounds played by bots under all invariants, and how often each rare event occurred."""
