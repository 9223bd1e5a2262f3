"""Live tables in Valkey: logs and their owners, heartbeats, tickets, codes, seats, the queue to the archive.

`README.md` has the keys and the argument for "acknowledged means kept". The only package that knows Redis.
"""
