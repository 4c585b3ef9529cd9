"""Members: the people behind the players of events; import, duplicates, links to players, privacy."""
