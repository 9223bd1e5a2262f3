"""Accounts, sessions, passwords, sanctions, and how a person leaves."""
