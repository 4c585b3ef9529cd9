"""Models of games, turns, clocks, slips and typings."""
