from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.referee.outgoing.receiver import MailServer, Receiver, mail_server, receiving
from tests.tournaments.conftest import _small_word_list, small_data_folder

__all__ = ["_small_word_list", "small_data_folder"]


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as receiver:
        yield receiver


@pytest.fixture
def sink() -> Iterator[MailServer]:
    with mail_server() as sink:
        yield sink
