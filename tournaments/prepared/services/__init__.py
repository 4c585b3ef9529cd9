"""Writes of prepared games, scripted games and solo practice."""
