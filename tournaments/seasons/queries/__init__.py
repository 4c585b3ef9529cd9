"""Reads of seasons, rankings, histories and records."""
