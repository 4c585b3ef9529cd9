"""Public pages of an event: cached, the same for every reader, without login."""
