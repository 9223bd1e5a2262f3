"""Faults on purpose while tables play, and the accounting of what was acknowledged."""
