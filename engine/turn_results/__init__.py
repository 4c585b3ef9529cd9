"""Results of a turn: master move, ties, bonuses and averages."""
