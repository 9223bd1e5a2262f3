"""Commands for those who host a server: start it, set it, operate it, keep its data."""
