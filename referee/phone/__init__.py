"""What a player's phone shows: joining, and the table."""
