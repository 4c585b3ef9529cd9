"""Prepared games, replayed games and solo practice."""
