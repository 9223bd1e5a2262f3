"""Rooms, quick match, history, ladder and the calculator over REST. No sockets: those are `app.api.gateway`."""
