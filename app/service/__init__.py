"""Live rooms and what a node does about them, below both REST and the gateway."""
