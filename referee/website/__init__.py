"""The club's website as static files, its calendar and feed, and the public list of events."""
