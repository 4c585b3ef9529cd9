"""Documents that report on a game or an event: standings, match sheet, rulings, calls, analysis and others."""
