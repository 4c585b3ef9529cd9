"""https of `serve`: certificates, the local certificate authority and its installation page."""
