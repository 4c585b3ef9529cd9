"""Formats for Catalan."""
