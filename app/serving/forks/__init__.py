"""Nodes' processes: the process that they are forked from, and our end of each."""
