"""Rankings of a season: the rule of a ranking and the computation from the results of its events."""
