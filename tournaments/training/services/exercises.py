"""Turns of finished games, played again by a member against the clock.

The server's time decides, as in solo practice: a slip is in time when it is received no later than the deadline and the
grace.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from engine.judging.verdict import Verdict, judge_slip
from engine.judging.verdict_text import explain_verdict
from engine.slips.slip import Received, Slip
from tournaments import validators
from tournaments.errors import AlreadyDone, Refused
from tournaments.lexicons import word_lists
from tournaments.models import Exercise, Game, Member
from tournaments.play.position import is_blitz, position_of, profile_of
from tournaments.training.intervals import Schedule, reschedule
from tournaments.training.queries.lost_turns import LostTurn


def get_times(game: Game) -> tuple[int, int]:
    """Return the seconds that a try may take: the time of the event, and half of it."""
    return game.turn_seconds, max(1, game.turn_seconds // 2)


def start_try(*, member: Member, lost: LostTurn, seconds: int, now: datetime) -> Exercise:
    """Start the clock of a try, which shows the rack. `seconds` is one of `get_times`."""
    game = lost.turn.game
    if seconds not in get_times(game):
        raise Refused(_("Choose one of the two times."))
    word_lists.word_list_of_game(game)  # refuses when nobody could judge the slip
    with transaction.atomic():
        whose = member if lost.exercise is None else lost.exercise.member
        exercise, _made = Exercise.objects.select_for_update().get_or_create(
            member=whose, turn=lost.turn, defaults={"due_on": timezone.localdate(now)}
        )
        if _is_running(exercise):
            raise AlreadyDone(_("The clock of this turn is still running."))
        exercise.started_at, exercise.seconds = now, seconds
        exercise.tries += 1
        exercise.save()
    return exercise


def submit_try(*, exercise: Exercise, word: str, ref: str, now: datetime) -> Exercise:
    """Judge the slip of the running try; after the deadline and the grace it is late and finds nothing."""
    with _lock(exercise) as locked:
        if not _is_running(locked):
            raise AlreadyDone(_("This turn is over."))
        received: Received = "late" if _is_too_late(locked, now) else "in_time"
        _end_try(locked, Slip(validators.one_line(word), validators.one_line(ref), None, received=received), now)
    return locked


def close_expired_try(*, exercise: Exercise, now: datetime) -> Exercise:
    """End the try whose time has run out without a slip; changes nothing otherwise."""
    if not _is_too_late(exercise, now):
        return exercise
    with _lock(exercise) as locked:
        if _is_running(locked):
            _end_try(locked, Slip("", "", None), now)
    return locked


def _is_running(exercise: Exercise) -> bool:
    return exercise.deadline is not None


def _is_too_late(exercise: Exercise, now: datetime) -> bool:
    """Return True after the last moment at which a slip of the running try is in time."""
    grace = timedelta(milliseconds=profile_of(exercise.turn.game).grace_ms)
    return exercise.deadline is not None and now > exercise.deadline + grace


@contextmanager
def _lock(exercise: Exercise) -> Iterator[Exercise]:
    with transaction.atomic():
        yield (Exercise.objects.select_for_update(of=("self",)).select_related("turn__game__event").get(pk=exercise.pk))


def _end_try(locked: Exercise, slip: Slip, now: datetime) -> None:
    """Judge the slip, store the result with its sentence in the active language, and set the next due day."""
    verdict = _judge(locked, slip)
    found = verdict.result != "zero" and verdict.move_score == locked.turn.top
    schedule = reschedule(
        Schedule(locked.due_on, locked.interval_days, locked.solved_at is not None),
        found=found,
        today=timezone.localdate(now),
    )
    said, _source = explain_verdict(verdict, _)
    judged = {"result": verdict.result, "points": verdict.points, "text": said}
    locked.result = {"word": slip.word, "ref": slip.ref, "found": found} | judged
    locked.started_at = None
    locked.due_on, locked.interval_days = schedule.due_on, schedule.interval_days
    locked.solved_at = (locked.solved_at or now) if schedule.is_solved else None
    locked.save()


def _judge(exercise: Exercise, slip: Slip) -> Verdict:
    """Judge by the rules of the game; a score need not be declared, since it is no part of the exercise."""
    turn = exercise.turn
    rules = profile_of(turn.game).with_switches(missing_score="real")
    words = word_lists.open_lexicon(turn.game, turn.number)
    return judge_slip(slip, position_of(turn), rules, words, blitz=is_blitz(turn.game))
