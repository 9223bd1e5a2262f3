"""Webhooks of circles: which there are, and what waits to be delivered to them. No network here."""
