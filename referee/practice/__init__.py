"""One player alone against the clock: pages that need no sockets."""
