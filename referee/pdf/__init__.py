"""Sheets of paper. Each is a pure function: the archive of a game and a language in, the bytes of a PDF out."""
