"""Simultaneous games: sealed packages for many clubs, sealed returns, judging them again, the common ranking."""
