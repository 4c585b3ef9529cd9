"""Desk pages and actions for rulings, groups of slips, appeals and judging again."""
