"""Pure: a table's log, its bytes, and the documents that it leaves."""
