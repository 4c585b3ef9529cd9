"""Pages of a player's phone: joining, playing, appeals and the player's sheet."""
