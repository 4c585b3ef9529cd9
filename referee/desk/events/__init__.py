"""Desk pages and actions for events, games, rounds, rooms and rules."""
