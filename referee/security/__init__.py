"""Log-in, permissions, player tokens, checks of the origin, rate limits, response headers and safe log lines."""
