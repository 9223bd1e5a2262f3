"""Live rooms across the nodes, and what a node does by itself: below players' and operators' API and the gateway.

ports     what REST and the gateway ask of this package, as Protocols, and the values they get
locate    the one answer to "where is table X"
rooms     live rooms, on whatever node they run
cluster   all nodes at once: list rooms, close sockets, announce, drain, count
node      one process: its stores, tables and rooms, and how it takes tables over and gives them up
"""
