"""Fixtures of the tests of `tournaments`: a data folder with a small word list, and a game."""

from __future__ import annotations

from tests.tournaments.conftest import _small_word_list, club_game, judge, small_data_folder

__all__ = ["_small_word_list", "club_game", "judge", "small_data_folder"]
