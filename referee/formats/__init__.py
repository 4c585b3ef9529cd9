"""Dates where Django writes them otherwise than our readers do."""
