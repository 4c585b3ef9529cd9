"""Public pages of a simultaneous game: the package, returns, and after the embargo the results."""
