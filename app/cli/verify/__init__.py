"""`mj verify`: a record, the live store's logs (`--live`), or the audit log (`--audit`)."""
