"""The stores: live tables in Valkey (`live`), finished rounds in Postgres (`archive`). No rules, no wire."""
