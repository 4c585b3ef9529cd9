"""The edges: the judge's desk, the players' phones, the wall of the hall, sockets, sheets, settings."""
