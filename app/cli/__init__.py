"""The `mj` command line: one module a command, each imported by name when it is called."""
