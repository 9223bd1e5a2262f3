"""The archive: Postgres through SQLAlchemy 2. Accounts, circles, finished rounds, records, ladder, operators' books.

Functions take an open connection and return plain dicts or frozen values; no ORM object leaves this package.
Nothing of a running table belongs here: that is `storage.live`.
"""
