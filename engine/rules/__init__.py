"""The rules of a game: profiles, slips, verdicts, and which of several equal tops goes on the board.

`profile.py` says which switches a country's or a club's rules have; `verdict.py` judges one slip by them.
"""
