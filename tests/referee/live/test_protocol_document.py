"""docs/protocol.md names every field, kind of alarm and act that the server sends, and no other."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import pytest

from engine.draw.ledger_acts import ActKind
from referee.live.monitoring import alarms
from referee.live.rooms.judge_presence import JudgeFocus
from referee.live.sockets import messages
from referee.views.player import PersonalView
from tests.referee.live.sockets.test_messages import FULL, NOON, row
from tournaments.play.queries.live import DocumentLine
from tournaments.play.queries.phases import Phase
from tournaments.play.queries.room_states import SlipCounts
from tournaments.results.queries.event_results import EventPlace

TEXT = (Path(__file__).resolve().parents[3] / "docs" / "protocol.md").read_text(encoding="utf-8")

MINE = PersonalView(1, 17, "Anna", 1, 3, None, None, 2, 60, -5, row(1).percent)


def names_in(text: str) -> set[str]:
    """Texts in backticks."""
    return set(re.findall(r"`([a-z_]+)`", text))


def first_cells(table: str) -> set[str]:
    """The names in the first column of a table."""
    rows = [names_in(line.split("|")[1]) for line in table.splitlines() if line.startswith("| `")]
    return set().union(*rows)


def fields_in(value: Any) -> Iterator[str]:
    """The names of all fields of a message, those of the rows in it included."""
    if isinstance(value, dict):
        for name, part in value.items():
            yield name
            yield from fields_in(part if name != "values" else None)
    elif isinstance(value, list):
        for part in value:
            yield from fields_in(part)


def test_the_table_of_the_view_holds_its_fields_and_no_other() -> None:
    table = TEXT.partition("Fields of")[2].partition("| `phase` | |")[0]
    assert first_cells(table) == set(json.loads(messages.wall_view(FULL)))


def test_the_table_of_what_only_a_player_may_know_holds_its_fields_and_no_other() -> None:
    table = TEXT.partition("### `me`")[2].partition("\n\n*")[0]
    assert first_cells(table) == set(messages.personal_fields(MINE))


@pytest.mark.parametrize(
    "message",
    [
        messages.wall_view(
            replace(FULL, event_places=[EventPlace(1, 17, "Anna", "", 606, None, row(1).percent)], merged=[row(1)])
        ),
        messages.count_message(SlipCounts(1, 2), [3]),
        messages.refused_message(None, "busy", "Wait.", 2000),
        messages.outdated_message("Load it anew."),
        messages.pong_message(1.5, NOON),
        messages.document_message(DocumentLine(1, 1, "standings", "done", 100)),
        messages.alarm_message("disk_full", "Make room."),
        messages.review_message(1),
        messages.judge_presence_message([JudgeFocus((1, 1), 1, "Anna", "0f8f")]),
    ],
)
def test_every_field_of_a_message_is_named(message: str) -> None:
    described = set(re.findall(r"[`\"]([a-z_]+)[`\"]", TEXT)) | {"t", "c", "v"}
    assert set(fields_in(json.loads(message))) <= described


def test_the_kinds_of_alarms_acts_on_the_draw_and_phases_are_those_of_the_program() -> None:
    assert first_cells(TEXT.partition("### Alarms")[2].partition("##")[0]) - {"kind"} == set(alarms._SENTENCES)
    acts = TEXT.partition("Kinds of acts:")[2].partition(";")[0]
    assert names_in(acts) == set(get_args(ActKind))
    phases = TEXT.partition("| `phase` | |")[2].partition("\n\n")[0]
    assert first_cells(phases) == {str(phase) for phase in Phase}


def test_phones_are_told_nothing_of_all_rooms_together() -> None:
    full = replace(FULL, merged=[row(1)], merged_turns=3)
    phone, wall = json.loads(messages.phone_view(full)), json.loads(messages.wall_view(full))
    assert (phone["merged"], phone["merged_turns"]) == ([], 0)
    assert (len(wall["merged"]), wall["merged_turns"]) == (1, 3)
