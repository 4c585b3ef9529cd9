"""Texts of the caller, spoken by a person or by the browser."""
