"""Word lists: where their words come from, and the graph that the move search walks."""
