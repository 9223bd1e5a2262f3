"""Operators, their scopes, and what they look up."""
