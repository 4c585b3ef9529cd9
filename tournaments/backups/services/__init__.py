"""Heartbeats of the server, and the lost time that a judge may give back."""
