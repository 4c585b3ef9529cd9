"""Game engine: tiles, board, moves, scores, draws, rules, verdicts, standings.

Pure Python with numpy and numba. The engine uses no database, network or system clock: callers pass in the time,
random seeds and files.
"""
