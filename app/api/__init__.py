"""The public edge: REST routers (`people`, `play`, `circles`) and the WebSocket gateway. No rules, no SQL, no store.

Start with `routes.py` (what is mounted), `services.py` (what it needs) and `errors.py` (how it refuses).
"""
