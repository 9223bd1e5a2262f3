"""People over REST: guests, accounts, sessions, names, and changes to one's own account. No rooms, no play."""
