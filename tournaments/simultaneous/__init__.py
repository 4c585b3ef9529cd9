"""Simultaneous games: at the hub, clubs with their start codes and returns; at a club, packages that it opened."""
