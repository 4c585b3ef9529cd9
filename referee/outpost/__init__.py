"""A room that plays on its own server: what the drawing server answers it, and the line from there."""
