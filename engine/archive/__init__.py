"""The archive of a game: schema, ledger, rulings register and verification."""
