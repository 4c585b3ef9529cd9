"""Writes of players, check-in, tables, nicknames and anonymisation."""
