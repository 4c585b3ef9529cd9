"""Stored verdicts, rulings, reviews, warnings and appeals."""
