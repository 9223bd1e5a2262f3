"""Live rooms across the nodes, and the node's own behaviour: below players' and operators' API and the gateway.

ports     the Protocols by which REST and the gateway call this package, and their values
locate    the one answer to "where is table X"
rooms     live rooms, on whatever node they run
cluster   all nodes at once: list rooms, close sockets, announce, drain, count
node      one process: its stores, tables and rooms, and how it takes tables over and gives them up
"""
