"""Acts of judging: each stores facts, appends a ledger entry and derives verdicts again."""
