"""Who is who over REST: guests, accounts, sessions, names, what people do with their account. No rooms, no play."""
