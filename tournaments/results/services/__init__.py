"""Acts on the public page of an event."""
