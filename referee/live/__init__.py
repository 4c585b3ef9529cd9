"""Live part of the server: WebSockets, room channels, the slip queue and the closing of turns."""
