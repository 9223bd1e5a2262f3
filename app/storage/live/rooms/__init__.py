"""Rooms in Valkey: the lobby's board, codes, seat claims, tickets, alerts."""
