"""The connection to Valkey: keys, scripts, retries, shards, durability settings."""
