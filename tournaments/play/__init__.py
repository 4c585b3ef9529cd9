"""Playing a game: racks, clocks, slips, double entry and placement of the master move."""
