"""Formats for Romanian."""
