"""Read-only API for other programs, off until a director creates a token (docs/api.md)."""
