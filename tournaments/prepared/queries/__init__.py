"""Reads of practice games and replayed games."""
