"""What is decided again on a turn that is on the board gives what it would have given in time, but for the board."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.contrib.auth.models import User

from tests.tournaments.night import Night, begin, chance, hand_in_something
from tests.tournaments.reopened import accept, decide, differences_in, judged, tops, turn_of, warn
from tournaments.enums import GivenCode, Ruling, SlipSource
from tournaments.models import Slip, Turn, Verdict, WordRuling
from tournaments.selectors.results import standings_of
from tournaments.services import rulings, warning

Ruled = Callable[[Night, int | None], object]


def _play(night: Night, seed: int, rule: Ruled) -> None:
    """Five turns in which the judge lays the moves, and rules in time in the second."""
    rng = chance(seed)
    for number in range(1, 6):
        if night.draw() is None:
            break
        night.announce()
        hand_in_something(night, rng)
        night.close()
        if number == 2:
            rule(night, None)
        words = [(top["word"], top["ref"]) for top in night.turn.tops or [] if "ZZZ" not in top["word"]]
        night.place(**(dict(zip(("word", "ref"), min(words), strict=True)) if words else {}))


def _replay(night: Night, first: Night, rule: Ruled) -> None:
    """The same slips and the same moves; a word that is to be accepted is struck before."""
    for turn in Turn.objects.filter(game=first.game).order_by("number"):
        night.draw()
        night.announce()
        for slip in Slip.objects.filter(turn=turn).select_related("player").order_by("pk"):
            if slip.source == SlipSource.PAPER:
                declared = "" if slip.declared is None else slip.declared
                night.paper(f"{slip.player.table} {slip.ref} {slip.word} {declared}")
            else:
                night.phone(slip.player.table, slip.word, slip.ref, slip.declared)
        night.close()
        if rule is _accept and turn.number == 2:
            _strike(night, None)
        night.place(**({"word": turn.master_word, "ref": turn.master_ref} if turn.master_word else {}))


def _a_slip(night: Night, number: int) -> Verdict:
    """The longest word of a slip that is worth something and is not the top: nobody forms it again by chance."""
    tops = [top["word"] for top in turn_of(night, number).tops or []]
    rows = Verdict.objects.filter(turn__game=night.game, turn__number=number, slip__isnull=False)
    found = [row for row in rows.order_by("player__table") if row.move_word and row.move_word not in tops]
    return max(found, key=lambda row: len(row.move_word))


def _strike(night: Night, number: int | None) -> None:
    word = _a_slip(night, number or 2).move_word
    if number is None:
        night.rule(word, Ruling.STRUCK, "looked at again")
    else:
        accept(night, word, number, ruling=Ruling.STRUCK, reason="looked at again")


def _accept(night: Night, number: int | None) -> None:
    """What was struck in time in the same turn."""
    if number is None:
        _strike(night, None)
        night.rule(WordRuling.objects.get(game=night.game, revoked_at=None).word, Ruling.ACCEPTED, "looked at again")
    else:
        struck = WordRuling.objects.get(game=night.game, revoked_at=None).word
        accept(night, struck, number, reason="looked at again")


def _decide(night: Night, number: int | None) -> None:
    verdict = _a_slip(night, number or 2)
    if number is None:
        rulings.decide_group(
            turn=night.turn,
            group=verdict.group,
            points=33,
            reason="looked at again",
            by=night.judge,
            now=night.later(),
        )
    else:
        decide(night, verdict.player.table, 33, number)


def _warn(night: Night, number: int | None) -> None:
    if number is None:
        player, now = night.player(1), night.later()
        warning.give_warning(
            turn=night.turn, player=player, code=GivenCode.DISCIPLINE, reason="the writing", by=night.judge, now=now
        )
    else:
        warn(night, 1, GivenCode.DISCIPLINE, given=True, number=number)


FISF = {"average_for_second_zero": True, "solo_min_players": 2, "free_warnings": 0}


@pytest.mark.parametrize("rule", [_strike, _accept, _decide, _warn])
@pytest.mark.parametrize(("profile", "switches"), [("it-box", None), ("fisf", FISF), ("fise", {"solo_min_players": 2})])
def test_judging_again_gives_what_a_ruling_in_time_would_have_given(
    judge: User, profile: str, switches: dict[str, object] | None, rule: Ruled
) -> None:
    """The same evening twice: once the judge rules in turn 2, once when turn 5 is on the board."""
    in_time, late = (begin(judge, profile=profile, switches=switches) for _ in range(2))
    _play(in_time, 3, rule)
    _replay(late, in_time, rule)
    assert judged(late) != judged(in_time)
    rule(late, 2)
    assert judged(late) == judged(in_time)
    assert tops(late) == tops(in_time)
    lines = [[line.as_json() for line in standings_of(night.refresh())] for night in (late, in_time)]
    assert lines[0] == lines[1]
    assert differences_in(late) == []
