"""Leaks are found anywhere in a text, and random strings are not mistaken for one."""

from __future__ import annotations

import pytest

from tests.leaks import leaked


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ('{"rack": "CUI"}', "CUI"),
        ("..CUI..", "CUI"),
        ('"declared": 8642,', "8642"),
        ("<td>CUI</td>", "CUI "),
        ("x-ACNOORT-y", "ACNOORT"),
        ("TRONCO 8C", "TRONCO 8C"),
    ],
)
def test_a_secret_that_stands_there_is_named(text: str, secret: str) -> None:
    assert leaked(text, [secret, "ZZZZZZZ"]) == [secret]


@pytest.mark.parametrize(
    ("text", "secret"), [("a3iRO8-OCUIh-AX", "CUI"), ("20:02:01.786421", "8642"), ("f8642c0d", "8642"), ("", "CUI")]
)
def test_a_token_a_hash_or_a_time_that_holds_it_by_chance_is_no_leak(text: str, secret: str) -> None:
    assert leaked(text, [secret]) == []
