"""Rooms, rounds, history, statistics, shares, the ladder and its seasons."""
