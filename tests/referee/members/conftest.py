"""The pages are tried with the small word list of the services' tests."""

from __future__ import annotations

from tests.tournaments.conftest import _small_word_list, judge, small_data_folder

__all__ = ["_small_word_list", "judge", "small_data_folder"]
