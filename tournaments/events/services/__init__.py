"""Writes of events, games, rooms, rounds, rules and rehearsals."""
