"""Variants of the game, such as joker and 7 of 8, and time controls."""
