"""Writes of exercises."""
