"""Pages of word lists and editions, which belong to no event."""
