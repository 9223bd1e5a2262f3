"""The `mj` command line, and the embedded Valkey and Postgres it starts: everything that runs on a developer's machine.

Nothing that serves a player belongs here: the server itself is composed in `app.main` and must not import this package.
"""
