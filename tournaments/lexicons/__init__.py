"""Word lists and the organiser's own editions: import, storage and lookup."""
