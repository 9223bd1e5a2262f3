"""雀桌 Quezhuo: a table server for regional Chinese mahjong. The map of the house is in README.md."""
