"""Desk pages for prepared games."""
