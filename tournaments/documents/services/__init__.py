"""The life cycle of a requested document: queued, in progress, finished or failed."""
