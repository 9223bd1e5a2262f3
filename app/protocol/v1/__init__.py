"""Protocol v1: JSON text frames over a WebSocket, subprotocol `mahjong.v1`. `CHANGES.md` lists every change.

`client` what comes in, `server` what goes out, `errors` the codes, `codec` bytes, `schema` the committed schema files,
`compatible` whether they keep what the released ones promised.
"""
