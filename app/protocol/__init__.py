"""The wire protocol. One package per version; `v1` only grows. Knows no table, no socket and no store."""
