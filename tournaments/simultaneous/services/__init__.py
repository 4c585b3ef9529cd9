"""Writes of simultaneous games."""
