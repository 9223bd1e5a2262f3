"""Friend circles: members, roles, rights."""
