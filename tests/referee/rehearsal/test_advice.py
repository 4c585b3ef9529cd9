"""Assessments of a rehearsal."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.rehearsal import advice
from referee.rehearsal.advice import assess_result
from referee.rehearsal.playing import Result


def result(**figures: object) -> Result:
    played = Result(1000, joined=1000, slips_sent=2000, slips_acked=2000)
    played.broadcast_ms, played.ack_ms, played.cpu_s = [20.0, 30.0], [10.0, 40.0], 0.4
    for name, value in figures.items():
        setattr(played, name, value)
    return played


def test_quick_responses_are_green() -> None:
    light = assess_result(result(), commit_ms=2.0)
    assert str(light) == "● GREEN\n1000 phones: no slip was lost, and nobody waited longer than 0.0 s."


def test_the_advice_for_a_slow_computer_names_the_number_of_phones() -> None:
    light = assess_result(result(ack_ms=[900.0], cpu_s=4.0), commit_ms=2.0)
    assert light.colour == "yellow"
    assert light.sentences[1] == "This computer is too slow for 1000 phones at once; 300 are fine."


def test_a_slow_disk_is_named_before_the_computer() -> None:
    light = assess_result(result(ack_ms=[900.0], cpu_s=4.0), commit_ms=80.4)
    assert light.sentences[1].startswith("The disk takes 80 ms to store something for good")
    assert len(light.sentences) == 2


def test_the_advice_for_a_fast_computer_with_delays_is_to_try_again() -> None:
    light = assess_result(result(ack_ms=[5000.0], cpu_s=0.1), commit_ms=None)
    assert (light.colour, light.sentences[1][:20]) == ("red", "Close other programs")


@pytest.mark.parametrize(
    ("figures", "sentence"),
    [
        ({"lost": 1}, "1 slips were lost and 0 counted twice"),
        ({"duplicated": 2}, "0 slips were lost and 2 counted twice"),
        ({"joined": 999}, "Only 999 phones could connect."),
        ({"slips_acked": 1997}, "3 slips were not acknowledged"),
    ],
)
def test_whatever_goes_wrong_is_red_however_quick(figures: dict[str, int], sentence: str) -> None:
    light = assess_result(result(**figures), commit_ms=None)
    assert light.colour == "red"
    assert sentence in str(light)


def test_the_message_for_a_low_file_limit_names_the_number_of_phones() -> None:
    allowed = advice.files_allowed()
    if allowed is None:
        assert advice.too_few_files(5000) is None
        return
    sentence = advice.too_few_files(allowed)
    assert sentence is not None
    assert f"at most {allowed - advice.SPARE_FILES} phones can connect" in sentence
    assert advice.too_few_files(allowed - advice.SPARE_FILES) is None


def test_the_disk_is_measured_and_nothing_is_left_on_it(tmp_path: Path) -> None:
    assert advice.commit_ms(tmp_path) > 0
    assert list(tmp_path.iterdir()) == []
