"""Results of games and events: standings, exports, statistics and the public page."""
