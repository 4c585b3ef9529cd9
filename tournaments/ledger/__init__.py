"""The append-only ledger of a game: storage, seals, queries and verification."""
