"""Results of a game or an event as tables, files and texts, independent of page and paper."""
