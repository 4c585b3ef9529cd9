"""Programs that a kit brings: starters for each system and the installation that they call."""
