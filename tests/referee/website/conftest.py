"""The website is tried with the small word list of the services' tests."""

from __future__ import annotations

from tests.tournaments.conftest import _small_word_list, kept_rows, small_data_folder

__all__ = ["_small_word_list", "kept_rows", "small_data_folder"]
