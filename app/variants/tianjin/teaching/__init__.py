"""天津麻将 for people who learn it: why something is not offered, and texts. Nothing here decides anything."""
