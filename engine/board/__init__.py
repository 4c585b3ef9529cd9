"""Board, coordinates, premiums, moves and scores."""
