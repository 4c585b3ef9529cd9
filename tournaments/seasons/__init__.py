"""Seasons: stored results of events, imported earlier evenings, rankings and records."""
