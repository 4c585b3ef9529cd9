"""A member's own page, reached by a private address."""
