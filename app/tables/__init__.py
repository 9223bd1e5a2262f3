"""The asyncio runtime of live tables: one task per table that owns it, decides, stores, then sends.

Start with `README.md` and `actor.py`. No transport, no database, no wire format: those stand above and come in
through `ports.py`. No rules of a game: those stand below and come in as a `Variant`.
"""
