"""Writes of roles, passwords and login links."""
