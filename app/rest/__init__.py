"""What players' and operators' REST have in common: bases and bounds of bodies, the one form of errors. No routes."""
