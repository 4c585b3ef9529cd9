"""The fingerprint of the secret key."""

from __future__ import annotations

import pytest

from tournaments.installation.services import change_key, claim_installation, is_other_key
from tournaments.models import Installation

pytestmark = pytest.mark.django_db
KEY, OTHER = "first-key " * 6, "second-key " * 6  # no random fingerprint contains a hyphen


def test_the_first_key_is_recorded_and_another_one_is_refused() -> None:
    assert not is_other_key(key=KEY)
    assert claim_installation(key=KEY)
    assert (claim_installation(key=KEY), claim_installation(key=OTHER)) == (True, False)
    assert (is_other_key(key=KEY), is_other_key(key=OTHER)) == (False, True)
    assert Installation.objects.count() == 1


def test_a_changed_key_takes_the_place_of_the_first() -> None:
    claim_installation(key=KEY)
    change_key(key=OTHER)
    assert (is_other_key(key=KEY), is_other_key(key=OTHER)) == (True, False)


def test_the_fingerprint_is_salted_and_does_not_contain_the_key() -> None:
    stored = []
    for _ in range(2):
        change_key(key=KEY)
        stored.append(Installation.objects.get().key_fingerprint)
    assert stored[0] != stored[1]
    assert not any(part.strip() in fingerprint for part in KEY.split() for fingerprint in stored)
