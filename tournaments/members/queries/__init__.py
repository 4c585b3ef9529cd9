"""Reads of members, duplicates and links to players."""
