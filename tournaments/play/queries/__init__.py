"""Reads of a game in progress: phases, counts, words, and the limits of what a desk may show."""
