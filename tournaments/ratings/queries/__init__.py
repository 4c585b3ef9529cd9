"""Reads of ratings."""
