"""Ratings of players from the results of games: percent of the top, and the open rating."""
