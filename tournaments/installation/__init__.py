"""The installation that owns the database: the fingerprint of its secret key."""
