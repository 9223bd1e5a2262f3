"""The test kit: load clients, laws of play, faults on purpose, benchmarks.

It serves no player; neither wheel nor image holds it.
"""
