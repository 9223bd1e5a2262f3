"""Server processes: heartbeats, which node runs a table, calls between nodes."""
