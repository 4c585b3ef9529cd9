"""Writes of ratings, of series and handicaps that follow from them, and of export templates."""
