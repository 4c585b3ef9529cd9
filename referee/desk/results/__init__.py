"""Desk pages for standings, charts, documents, downloads and the public page."""
