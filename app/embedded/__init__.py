"""Valkey and Postgres as child processes, and where their data lies on this machine."""
