"""Rule profiles: the switches of a game, their values by profile, and their texts."""
