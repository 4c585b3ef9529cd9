"""Editions (tile sets of a language), tiles and the folding of letters."""
