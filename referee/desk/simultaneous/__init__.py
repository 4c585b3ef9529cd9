"""Pages of the desk for simultaneous games: those of the hub, and those of a club that plays."""
