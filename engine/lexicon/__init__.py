"""Word lists: their sources, and the graph that the move search uses."""
