"""Tables' logs in Valkey, the carrier of finished rounds to the archive, the reaper of ended tables."""
