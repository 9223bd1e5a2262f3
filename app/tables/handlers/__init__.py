"""The handlers of the messages to a table."""
