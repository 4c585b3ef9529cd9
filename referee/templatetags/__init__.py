"""Template tags and filters of the desk and the charts."""
