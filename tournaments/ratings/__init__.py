"""Ratings of members: percent of the top over the last games, and the open rating."""
