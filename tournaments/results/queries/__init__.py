"""Read-only data of results: standings, sheets, statistics, archives and the public page."""
