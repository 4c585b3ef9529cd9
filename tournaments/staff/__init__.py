"""Roles of users in events, and login links."""
