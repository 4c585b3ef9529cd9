"""`serve`: one process that does everything, and what it tells the person who started it."""
