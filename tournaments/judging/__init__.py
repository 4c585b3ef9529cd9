"""Judging of slips: verdicts, rulings before and after placement, reviews, warnings and appeals."""
