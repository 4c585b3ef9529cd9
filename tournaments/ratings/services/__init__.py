"""Writes of ratings."""
