"""What each message to a table means."""
