"""Desk pages and actions for the roster, check-in, tables, seat codes and privacy."""
