"""Desk pages for backups: the age of the newest one, and restoring."""
