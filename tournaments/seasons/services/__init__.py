"""Writes of stored results, seasons, rankings and imported evenings."""
