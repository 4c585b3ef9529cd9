"""Verbs that write: keyword-only, one transaction, guards first, `Refused` for what a person can cause."""
