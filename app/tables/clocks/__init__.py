"""Clocks of a table: they post messages and decide nothing; bots, autoplay and automatic wins."""
