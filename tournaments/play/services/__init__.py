"""Writes of a game in progress: draws, clocks, slips and placements."""
