"""Reads of ratings, of the games that count for them, and of proposed series and handicaps."""
