"""The WebSocket gateway: the only place where a live table meets a socket, and where its values meet protocol v1.

`socket.py` is the wire, `connection.py` one client, `gateway.py` all of them. No rules, no judgement about a match.
"""
