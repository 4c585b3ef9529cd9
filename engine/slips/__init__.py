"""Slips as players write them, and the line in which paper slips are typed."""
