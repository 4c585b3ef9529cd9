"""Judging of slips: verdicts, rescues, warnings and their sentences."""
