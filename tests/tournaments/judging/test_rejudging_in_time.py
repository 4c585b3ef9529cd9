"""A ruling after placement gives the same results as one before it, except for the board."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.contrib.auth.models import User

from tests.examples import one_in, representative
from tests.tournaments.club_game import ClubGame, create_club_game, seeded_random, submit_random_slips
from tests.tournaments.rejudged_game import (
    accept_word,
    decide_slip,
    find_differences,
    get_turn,
    judging_results,
    set_warning,
    stored_tops,
)
from tournaments.enums import JudgeWarningCode, Ruling, SlipSource
from tournaments.judging.services import rulings, warnings
from tournaments.judging.services.ruling_request import RulingRequest
from tournaments.models import Slip, Turn, Verdict, WordRuling
from tournaments.results.queries.results import standings_of

Ruled = Callable[[ClubGame, int | None], object]


def _play(club_game: ClubGame, seed: int, rule: Ruled) -> None:
    """Five turns in which the judge lays the moves, and rules in time in the second."""
    rng = seeded_random(seed)
    for number in range(1, 6):
        if club_game.draw() is None:
            break
        club_game.announce()
        submit_random_slips(club_game, rng)
        club_game.close()
        if number == 2:
            rule(club_game, None)
        words = [(top["word"], top["ref"]) for top in club_game.turn.tops or [] if "ZZZ" not in top["word"]]
        club_game.place(**(dict(zip(("word", "ref"), min(words), strict=True)) if words else {}))


def _replay(club_game: ClubGame, first: ClubGame, rule: Ruled) -> None:
    """The same slips and the same moves; a word that is to be accepted is struck before."""
    for turn in Turn.objects.filter(game=first.game).order_by("number"):
        club_game.draw()
        club_game.announce()
        for slip in Slip.objects.filter(turn=turn).select_related("player").order_by("pk"):
            if slip.source == SlipSource.PAPER:
                declared = "" if slip.declared is None else slip.declared
                club_game.paper(f"{slip.player.table} {slip.ref} {slip.word} {declared}")
            else:
                club_game.phone(slip.player.table, slip.word, slip.ref, slip.declared)
        club_game.close()
        if rule is _accept and turn.number == 2:
            _strike(club_game, None)
        club_game.place(**({"word": turn.master_word, "ref": turn.master_ref} if turn.master_word else {}))


def _a_slip(club_game: ClubGame, number: int) -> Verdict:
    """The longest word of a slip that is worth something and is not the top: nobody forms it again by chance."""
    tops = [top["word"] for top in get_turn(club_game, number).tops or []]
    rows = Verdict.objects.filter(turn__game=club_game.game, turn__number=number, slip__isnull=False)
    found = [row for row in rows.order_by("player__table") if row.move_word and row.move_word not in tops]
    return max(found, key=lambda row: len(row.move_word))


def _strike(club_game: ClubGame, number: int | None) -> None:
    word = _a_slip(club_game, number or 2).move_word
    if number is None:
        club_game.rule(word, Ruling.STRUCK, "looked at again")
    else:
        accept_word(club_game, word, number, ruling=Ruling.STRUCK, reason="looked at again")


def _accept(club_game: ClubGame, number: int | None) -> None:
    """Words struck in time in the same turn."""
    if number is None:
        _strike(club_game, None)
        club_game.rule(
            WordRuling.objects.get(game=club_game.game, revoked_at=None).word, Ruling.ACCEPTED, "looked at again"
        )
    else:
        struck = WordRuling.objects.get(game=club_game.game, revoked_at=None).word
        accept_word(club_game, struck, number, reason="looked at again")


def _decide(club_game: ClubGame, number: int | None) -> None:
    verdict = _a_slip(club_game, number or 2)
    if number is None:
        rulings.decide_groups(
            turn=club_game.turn,
            groups=[verdict.group],
            points=33,
            request=RulingRequest(reason="looked at again", by=club_game.judge, now=club_game.later()),
        )
    else:
        decide_slip(club_game, verdict.player.table, 33, number)


def _warn(club_game: ClubGame, number: int | None) -> None:
    if number is None:
        player, now = club_game.player(1), club_game.later()
        warnings.set_warning(
            turn=club_game.turn,
            player=player,
            code=JudgeWarningCode.DISCIPLINE,
            given=True,
            request=RulingRequest(reason="the writing", by=club_game.judge, now=now),
        )
    else:
        set_warning(club_game, 1, JudgeWarningCode.DISCIPLINE, given=True, number=number)


FISF = {"average_for_second_zero": True, "solo_min_players": 2, "free_warnings": 0}


@pytest.mark.parametrize("rule", one_in(2, [_strike, _accept, _decide, _warn]))
@pytest.mark.parametrize(
    ("profile", "switches"), representative([("it-box", None), ("fisf", FISF), ("fise", {"solo_min_players": 2})])
)
def test_judging_again_gives_what_a_ruling_in_time_would_have_given(
    judge: User, profile: str, switches: dict[str, object] | None, rule: Ruled
) -> None:
    """Play the same game twice: the judge rules in turn 2, or after the placement of turn 5."""
    in_time, late = (create_club_game(judge, profile=profile, switches=switches) for _ in range(2))
    _play(in_time, 3, rule)
    _replay(late, in_time, rule)
    assert judging_results(late) != judging_results(in_time)
    rule(late, 2)
    assert judging_results(late) == judging_results(in_time)
    assert stored_tops(late) == stored_tops(in_time)
    lines = [[line.as_json() for line in standings_of(club_game.refresh())] for club_game in (late, in_time)]
    assert lines[0] == lines[1]
    assert find_differences(late) == []
