"""The common part of players' and operators' REST: bases and bounds of bodies, the one form of errors. No routes."""
