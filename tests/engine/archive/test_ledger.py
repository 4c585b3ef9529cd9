from __future__ import annotations

import hashlib
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.archive.ledger import (
    EMPTY_LEDGER_HASH,
    entry_hash,
    find_bad_link_number,
    head_hash,
    seal_entry,
)
from engine.canonical_json import NotCanonical, canonical_json

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=10,
)


def chain(length: int) -> list[dict[str, object]]:
    entries: list[dict[str, object]] = []
    for number in range(length):
        entries.append(
            seal_entry(
                entries[-1] if entries else None,
                at="2026-01-31T21:00:00.000000+00:00",
                kind="draw",
                by="judge",
                data={"rack": "ACEIRST", "number": number, "città": ["è", None, True]},
            )
        )
    return entries


def test_canonical_json_has_sorted_keys_no_spaces_and_plain_utf8() -> None:
    written = canonical_json({"b": [1, None, True], "a": "città [L·L]"})
    assert written == '{"a":"città [L·L]","b":[1,null,true]}'.encode()


def test_keys_are_sorted_at_every_depth() -> None:
    assert canonical_json({"z": {"b": 1, "a": 2}}) == b'{"z":{"a":2,"b":1}}'


@pytest.mark.parametrize("value", [1.5, {"a": 0.0}, [[float("nan")]], {"a": {1}}, {1: "a"}, "\ud800"])
def test_floats_and_what_is_no_json_are_refused(value: object) -> None:
    with pytest.raises(NotCanonical):
        canonical_json(value)


def test_the_hash_is_that_of_the_previous_hash_as_text_and_the_entry() -> None:
    entry = {"n": 1, "at": "t", "kind": "draw", "by": "anna", "data": {}, "hash": "left out"}
    by_hand = "0" * 64 + '{"at":"t","by":"anna","data":{},"kind":"draw","n":1}'
    assert entry_hash(EMPTY_LEDGER_HASH, entry) == hashlib.sha256(by_hand.encode()).hexdigest()


def test_a_true_chain_has_no_bad_link_and_its_head_is_the_last_hash() -> None:
    entries = chain(4)
    assert find_bad_link_number(entries) is None
    assert head_hash(entries) == entries[-1]["hash"]
    assert [entry["n"] for entry in entries] == [1, 2, 3, 4]


def test_an_empty_chain_holds_and_its_head_is_zeros() -> None:
    assert find_bad_link_number([]) is None
    assert head_hash([]) == "0" * 64


def changed(entry: Mapping[str, object], **fields: object) -> dict[str, object]:
    return {**entry, **fields}


def test_the_first_entry_that_was_changed_is_named() -> None:
    entries = chain(5)
    entries[2] = changed(entries[2], by="somebody else")
    assert find_bad_link_number(entries) == 3


def test_an_entry_that_was_changed_and_sealed_anew_breaks_the_next_link() -> None:
    entries = chain(5)
    forged = changed(entries[2], by="somebody else")
    entries[2] = changed(forged, hash=entry_hash(str(entries[1]["hash"]), forged))
    assert find_bad_link_number(entries) == 4


def test_an_entry_that_was_taken_out_is_noticed() -> None:
    entries = chain(5)
    del entries[1]
    assert find_bad_link_number(entries) == 2


def test_entries_in_another_order_are_noticed() -> None:
    entries = chain(3)
    assert find_bad_link_number([entries[1], entries[0], entries[2]]) == 1


def test_an_entry_with_a_float_is_a_bad_link() -> None:
    entries = chain(2)
    entries[1] = changed(entries[1], data={"share": 0.5})
    assert find_bad_link_number(entries) == 2


@given(JSON)
def test_whatever_the_data_the_chain_holds_until_it_is_touched(data: object) -> None:
    first = seal_entry(None, at="t", kind="k", by="b", data={"what": data})
    second = seal_entry(first, at="t", kind="k", by="b", data={})
    assert find_bad_link_number([first, second]) is None
    assert find_bad_link_number([changed(first, data={"what": [data]}), second]) == 1
