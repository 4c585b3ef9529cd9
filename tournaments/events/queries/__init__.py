"""Reads of events, rooms, rounds and rehearsals."""
