"""Messages to others than players: alerts for those who host, events for webhooks.

They wait in a queue and are tried again.
"""
