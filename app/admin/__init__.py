"""The operators' API, `/v1/admin`: roles and scopes, every call in an audit log. No players' routes, no rules, no SQL.

Start with `routes.py` (what is mounted), `services.py` (what it needs), `audit.py` (how calls are checked and logged).
"""
