"""Backup files, their restoring, and heartbeats that measure downtime."""
