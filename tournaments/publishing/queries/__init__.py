"""Reads of what may be published."""
