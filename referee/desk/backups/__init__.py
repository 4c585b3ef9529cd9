"""Desk pages for backups: the age of the newest one, restoring, and the report of an upgrade."""
