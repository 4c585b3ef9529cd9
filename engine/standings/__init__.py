"""Standings of games, events and teams, ranking points, statistics and the sorting of names."""
