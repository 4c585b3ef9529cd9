"""Formats for Italian."""
