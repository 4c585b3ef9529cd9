"""Stored events and everything done with them: models, services (writes) and queries (reads), by domain."""
