"""The wall: the page for the projector in the hall."""
