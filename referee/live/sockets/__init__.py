"""WebSocket consumers, connections, the protocol's messages and its HTTP fallback."""
