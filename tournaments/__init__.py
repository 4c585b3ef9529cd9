"""What is stored of an event, and what may be done with it: models, services (writes), selectors (reads)."""
