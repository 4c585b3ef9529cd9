"""The game itself: tiles, board, moves, scores, draws, rules, verdicts, standings.

Pure Python with numpy and numba. Nothing in here knows a database, a network or what time it is: `now`,
randomness and files are handed in, so every function can be tried at a prompt and proved by a test.
"""
