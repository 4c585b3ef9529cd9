"""Models of events, rooms and rounds."""
