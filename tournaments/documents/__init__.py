"""Requested sheets and files, which background tasks make."""
