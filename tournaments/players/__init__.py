"""Players: import, check-in, tables, seat codes, nicknames, disqualification and anonymisation."""
