"""Reads of simultaneous games."""
