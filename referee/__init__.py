"""User interfaces and server: desk, phones, wall, WebSockets, documents and settings."""
