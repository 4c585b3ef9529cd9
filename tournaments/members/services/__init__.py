"""Writes of members, their import, merging and links to players."""
