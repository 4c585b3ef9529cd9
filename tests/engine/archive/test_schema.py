from __future__ import annotations

import copy
import hashlib
import json
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest

from engine.archive.schema import (
    ArchiveError,
    edition_entries,
    edition_of,
    format_timestamp,
    read_archive,
    read_timestamp,
    tile_set,
    word_list_sha256,
    word_texts,
)
from engine.rules.profile import load_profile
from engine.tiles.edition import load_edition, read_edition

VERDICT: dict[str, Any] = {
    "result": "valid",
    "reason": None,
    "points": 22,
    "move_score": 22,
    "warnings": [],
    "penalty": 0,
    "bonus": 0,
    "word": None,
    "rule": None,
    "text": "22 points.",
}
SLIP = {
    "table": 17,
    "source": "phone",
    "received_at": "2026-01-31T21:02:00.000000+00:00",
    "in_time": True,
    "word": "CORNO",
    "ref": "8D",
    "direction": None,
    "hook": "",
    "declared": 22,
    "verdict": VERDICT,
    "decided_by": "rule",
    "reason": None,
}
TURN = {
    "number": 1,
    "kept": "",
    "rejected": ["AAEEIOU"],
    "rack": "CNOORST",
    "board": ["." * 15] * 15,
    "started_at": "2026-01-31T21:00:00.000000+00:00",
    "deadline": "2026-01-31T21:03:00.000000+00:00",
    "closed_at": "2026-01-31T21:03:01.000001Z",
    "grace_ms": 1000,
    "top": 22,
    "tops": [{"word": "CORNO", "ref": "8D", "score": 22}],
    "master": {"word": "CORNO", "ref": "8D", "score": 22, "chosen_by": "slip", "why": None},
    "slips": [SLIP],
    "solo": 17,
}
ARCHIVE: dict[str, Any] = {
    "format": "duplicate-game",
    "version": 1,
    "event": {"name": "Serata", "date": "2026-01-31", "place": "Torino"},
    "room": "Sala 1",
    "edition": "it",
    "tile_set": tile_set(load_edition("it")),
    "formula": "normal",
    "rhythm_s": 180,
    "across": "8H",
    "profile": load_profile("it-box").switches(),
    "lexicon": {"name": "test", "words": 3, "sha256": "0" * 64, "accepted": [], "struck": []},
    "draw": {"mode": "seeded", "commitment": "0" * 64, "seed": "0" * 64, "hall_word": None},
    "players": [{"table": 17, "name": "Anna", "club": "Torino", "series": None}],
    "turns": [TURN],
    "end": {"why": "judge", "kept": "ST", "bag": "A"},
    "standings": [
        {
            "rank": 1,
            "table": 17,
            "total": 22,
            "negative": 0,
            "percent": 100.0,
            "warnings": 0,
            "penalties": 0,
            "solos": 1,
        }
    ],
    "ledger": {
        "entries": [{"n": 1, "at": "2026-01-31", "kind": "draw", "by": "anna", "data": {}, "hash": "0" * 64}],
        "head": "0" * 64,
    },
}


def with_field(path: str, value: Any) -> str:
    """The text of the archive with one field set; a path like `turns 0 slips 0 in_time`."""
    archive = copy.deepcopy(ARCHIVE)
    *way, last = [int(step) if step.isdigit() else step for step in path.split()]
    entry: Any = archive
    for step in way:
        entry = entry[step]
    entry[last] = value
    return json.dumps(archive)


def test_a_whole_archive_is_read_as_it_is() -> None:
    assert read_archive(json.dumps(ARCHIVE)) == ARCHIVE


def test_fields_that_other_programs_add_are_left_alone() -> None:
    assert read_archive(with_field("turns 0 announcer", "Rita"))["turns"][0]["number"] == 1


def test_a_slip_may_bring_the_warnings_that_the_judge_gave() -> None:
    both = ["unreadable", "discipline"]
    assert read_archive(with_field("turns 0 slips 0 given", both))["turns"][0]["slips"][0]["given"] == both
    with pytest.raises(ArchiveError, match=r"given\[0\] must be .*discipline"):
        read_archive(with_field("turns 0 slips 0 given", ["score_wrong"]))


def test_a_slip_may_say_that_it_is_one_of_several() -> None:
    assert read_archive(with_field("turns 0 slips 0 several", True))["turns"][0]["slips"][0]["several"]
    with pytest.raises(ArchiveError, match="several must be true or false"):
        read_archive(with_field("turns 0 slips 0 several", 2))


def test_a_percent_may_be_written_without_its_decimal() -> None:
    assert read_archive(with_field("standings 0 percent", 100))["standings"][0]["percent"] == 100


def test_a_game_that_is_going_on_has_no_end_no_seed_and_no_times_yet() -> None:
    archive = copy.deepcopy(ARCHIVE)
    archive["end"] = archive["draw"]["seed"] = None
    archive["turns"][0] |= {"started_at": None, "deadline": None, "closed_at": None, "master": None}
    assert read_archive(json.dumps(archive)) == archive


WRONG = [
    ("turns 0 slips 0 in_time", "yes", 'turns[0].slips[0].in_time must be true or false, not "yes".'),
    ("turns 0 slips 0 in_time", 1, "turns[0].slips[0].in_time must be true or false, not 1."),
    ("turns 0 top", True, "turns[0].top must be a whole number of at most nine digits, not true."),
    ("turns 0 top", 7.5, "turns[0].top must be a whole number of at most nine digits, not 7.5."),
    ("turns 0 top", 10**9, "turns[0].top must be a whole number of at most nine digits, not 1000000000."),
    ("turns 0 rack", None, "turns[0].rack must be a text, not null."),
    ("turns 0 rejected", "AAEEIOU", 'turns[0].rejected must be a list, not "AAEEIOU".'),
    ("turns 0 rejected", [7], "turns[0].rejected[0] must be a text, not 7."),
    ("turns 0 tops 0", [], "turns[0].tops[0] must be an object, not []."),
    (
        "turns 0 deadline",
        "at nine",
        'turns[0].deadline must be a time such as 2026-01-31T21:00:00.000000+00:00, not "at nine".',
    ),
    (
        "turns 0 closed_at",
        "9999-12-31T23:59:59+00:00",
        'turns[0].closed_at must be a time such as 2026-01-31T21:00:00.000000+00:00, not "9999-12-31T23:59:59+00:00".',
    ),
    (
        "turns 0 slips 0 received_at",
        "2026-01-31T21:00:00",
        "turns[0].slips[0].received_at must be a time such as 2026-01-31T21:00:00.000000+00:00,"
        ' not "2026-01-31T21:00:00".',
    ),
    ("across", "h8", 'across must be one of "8H", "H8", not "h8".'),
    ("end why", "tea", 'end.why must be one of "tiles_out", "minimum", "no_move", "turns", "judge", not "tea".'),
    ("turns 0 slips 0 source", "pigeon", 'turns[0].slips[0].source must be one of "phone", "paper", not "pigeon".'),
    ("tile_set", [], "tile_set must be an object, not []."),
    ("tile_set A", 14, "tile_set.A must be an object, not 14."),
    ("standings 0 percent", "100", 'standings[0].percent must be a number, not "100".'),
    ("players", {}, "players must be a list, not {}."),
    ("room", ["a" * 200], 'room must be a text, not ["' + "a" * 55 + "...."),
]


@pytest.mark.parametrize(("path", "value", "sentence"), WRONG)
def test_a_wrong_field_is_named_with_what_it_must_be(path: str, value: object, sentence: str) -> None:
    with pytest.raises(ArchiveError) as error:
        read_archive(with_field(path, value))
    assert str(error.value) == f"This archive cannot be read: {sentence}"


@pytest.mark.parametrize(
    ("way", "name", "path"),
    [
        ("", "turns", "turns"),
        ("turns 0", "kept", "turns[0].kept"),
        ("turns 0 slips 0 verdict", "points", "turns[0].slips[0].verdict.points"),
        ("ledger", "head", "ledger.head"),
        ("tile_set A", "value", "tile_set.A.value"),
    ],
)
def test_a_missing_field_is_named(way: str, name: str, path: str) -> None:
    archive = copy.deepcopy(ARCHIVE)
    entry: Any = archive
    for step in way.split():
        entry = entry[int(step) if step.isdigit() else step]
    del entry[name]
    with pytest.raises(ArchiveError) as error:
        read_archive(json.dumps(archive))
    assert str(error.value) == f"This archive is not complete: {path} is missing."


@pytest.mark.parametrize("text", ["", "{", "\x00\x01", "[" * 100_000, '{"a": NaN}', "9" * 10_000])
def test_what_is_no_json_is_told_so(text: str) -> None:
    with pytest.raises(ArchiveError, match="This is not the archive of a game, since it is not JSON"):
        read_archive(text)


@pytest.mark.parametrize("text", ["[]", "null", "3", '{"format": "chess"}', "{}"])
def test_other_json_is_no_archive(text: str) -> None:
    with pytest.raises(ArchiveError, match='its "format" is not "duplicate-game"'):
        read_archive(text)


def test_another_version_is_told_so() -> None:
    with pytest.raises(
        ArchiveError, match=r"of version 2; only 1 is read here, by Multiplo .*: install a newer Multiplo\."
    ):
        read_archive(with_field("version", 2))


def test_the_tile_set_is_listed_in_the_order_of_the_bag() -> None:
    entries = tile_set(load_edition("ca"))
    assert list(entries)[:4] == ["?", "A", "B", "C"]
    assert entries["L·L"] == {"count": 1, "value": 10, "class": "consonant"}
    assert sum(int(entry["count"]) for entry in entries.values()) == 100


def test_the_checksum_of_a_word_list_is_over_sorted_lines() -> None:
    expected = hashlib.sha256("CASA\nCA[L·L]A\nZIO\n".encode()).hexdigest()
    assert word_list_sha256(["ZIO", "CA[L·L]A", "CASA", "ZIO"]) == (3, expected)
    assert word_list_sha256([]) == (0, hashlib.sha256(b"").hexdigest())


def test_letter_numbers_become_tile_text() -> None:
    ca = load_edition("ca")
    words = ["CA[L·L]A", "A[NY]", "CASA"]
    assert list(word_texts(ca, map(ca.parse_word, words))) == words


def test_times_are_written_in_utc_with_microseconds() -> None:
    live_game = datetime(2026, 1, 31, 22, 0, tzinfo=timezone(timedelta(hours=1)))
    assert format_timestamp(live_game) == "2026-01-31T21:00:00.000000+00:00"
    assert read_timestamp(format_timestamp(live_game)) == live_game
    assert read_timestamp("2026-01-31T21:00:00Z") == datetime(2026, 1, 31, 21, tzinfo=UTC)


def test_an_archive_brings_an_edition_that_others_do_not_have() -> None:
    """The program's own editions are known everywhere; one that the organiser has edited travels with the game."""
    italian = load_edition("it")
    assert set(edition_entries(italian)) == {"edition", "tile_set"}
    own = read_edition("casa-nostra", italian.toml.replace("A = { count = 14", "A = { count = 15"))
    entries = edition_entries(own)
    assert (entries["edition"], entries["edition_file"]) == ("casa-nostra", own.toml)
    archive = read_archive(json.dumps(ARCHIVE | entries))
    assert edition_of(archive) == own
    replaced = read_edition("it", own.toml)
    assert edition_of(read_archive(json.dumps(ARCHIVE | edition_entries(replaced)))).total == 121
    assert edition_of(read_archive(json.dumps(ARCHIVE))) is italian


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        (
            {"edition": "casa-nostra"},
            "This archive cannot be verified: there is no edition 'casa-nostra' here; ask for its file and put it into "
            "the folder editions of your data folder.",
        ),
        (
            {"edition": "casa-nostra", "edition_file": "name = 3"},
            "This archive cannot be verified: casa-nostra.toml, line 1: the entry language is missing.",
        ),
        (
            {"edition": "../x", "edition_file": "name = 3"},
            "This archive cannot be verified: ../x.toml: the file of an edition is named for its code: small letters, "
            "digits and hyphens, 20 at most.",
        ),
    ],
)
def test_an_edition_that_cannot_be_had_is_told_with_the_remedy(fields: dict[str, str], sentence: str) -> None:
    with pytest.raises(ArchiveError) as error:
        edition_of(read_archive(json.dumps(ARCHIVE | fields)))
    assert str(error.value) == sentence
