"""Reads of lost turns, missed words and exercises."""
