"""The sheets of a forgotten event are deleted once the transaction is certain."""

from __future__ import annotations

import pytest
from django.db import transaction

from tests.tournaments.players.test_anonymise import a_sheet, forget, play
from tournaments.models import Document


@pytest.mark.django_db(transaction=True)
def test_sheets_are_deleted_with_their_files_once_it_is_certain() -> None:
    played = play()
    path = a_sheet(played)
    with transaction.atomic():
        forget(played)
        transaction.set_rollback(True)
    assert path.exists()
    assert Document.objects.exists()
    told = forget(played)
    assert told.documents == 1
    assert not path.exists()
    assert not Document.objects.exists()
