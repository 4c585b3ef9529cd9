"""Reads of players, check-in, table plans and retention."""
