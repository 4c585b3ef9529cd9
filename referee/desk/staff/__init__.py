"""Desk pages for logging in, the user's account and the staff of an event."""
