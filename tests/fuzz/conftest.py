"""Fixtures of the fuzz tests: a small word list and a real server for sockets."""

from __future__ import annotations

from tests.referee.live.conftest import served
from tests.tournaments.conftest import _small_word_list, small_data_folder

__all__ = ["_small_word_list", "served", "small_data_folder"]
