"""Turns in which a member lost points, and the words that the member missed more than once.

Only turns that are no secret any more: the game is over in every room, and no game that is not over follows its script.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from django.db.models import Count, F, Max, Q, QuerySet
from django.db.models.functions import Upper

from tournaments.judging.verdicts import VerdictReader
from tournaments.members.queries.identities import get_records_of, list_players_of
from tournaments.models import Exercise, Game, Member, PreparedGame, Turn, Verdict
from tournaments.play.queries.phases import list_games_not_over

MOST_TURNS, MOST_MISSED = 10, 10
TWICE = 2


@dataclass(frozen=True, slots=True)
class LostTurn:
    """A turn with the member's slip and the `sentence` of its verdict in the active language, without the rule.

    `best` are the words that score the top, as (word, reference). `exercise` is None as long as the turn was never
    played again.
    """

    turn: Turn
    word: str
    ref: str
    points: int
    sentence: str
    best: tuple[tuple[str, str], ...]
    exercise: Exercise | None

    @property
    def top(self) -> int:
        """The top of the turn."""
        return self.turn.top or 0

    @property
    def loss(self) -> int:
        """Points below the top."""
        return self.top - self.points


@dataclass(frozen=True, slots=True)
class MissedWord:
    """A master move that the member did not find in this number of turns; `last` is the date of the latest."""

    word: str
    times: int
    last: date


def list_lost_turns(member: Member, most: int = MOST_TURNS) -> list[LostTurn]:
    """Return the turns with the largest losses, the newer of equal ones first."""
    lost = _list_verdicts(member).annotate(loss=F("turn__top") - F("points")).filter(loss__gt=0)
    lost = lost.order_by("-loss", "-turn__game__event__date", "-turn")[:most]
    return _to_lost_turns(member, lost)


def find_lost_turn(member: Member, turn: int) -> LostTurn | None:
    """Return a turn of the member, None if the member has not played it or it is still secret."""
    return next(iter(_to_lost_turns(member, _list_verdicts(member).filter(turn=turn).order_by("-points")[:1])), None)


def list_due_turns(member: Member, today: date) -> list[LostTurn]:
    """Return the turns that are due to be played again, the longest due first."""
    due = _list_exercises(member).filter(due_on__lte=today, solved_at=None).order_by("due_on", "pk")
    order = list(dict.fromkeys(due.values_list("turn", flat=True)))
    found = {each.turn.pk: each for each in _to_lost_turns(member, _list_verdicts(member).filter(turn__in=order))}
    return [found[turn] for turn in order if turn in found]


def list_missed_words(member: Member, most: int = MOST_MISSED) -> list[MissedWord]:
    """Return the master moves that the member missed more than once, the most often missed first.

    A word is missed in a turn if it was placed on the board and the member's move was worth less than the top.
    """
    missed = (
        _list_verdicts(member)
        .exclude(turn__master_word="")
        .filter(Q(move_score=None) | Q(move_score__lt=F("turn__top")))
        .annotate(missed=Upper("turn__master_word"))
        .order_by()
        .values("missed")
        .annotate(times=Count("turn", distinct=True), last=Max("turn__game__event__date"))
        .filter(times__gte=TWICE)
        .order_by("-times", "-last", "missed")
    )
    return [MissedWord(each["missed"], each["times"], each["last"]) for each in missed[:most]]


def _list_exercises(member: Member) -> QuerySet[Exercise]:
    """Return the exercises of the member's record and of those merged into it."""
    return Exercise.objects.filter(member__in=get_records_of(member))


def _list_verdicts(member: Member) -> QuerySet[Verdict]:
    """Return the member's verdicts of turns that are no secret."""
    played = Verdict.objects.filter(player__in=list_players_of(member), turn__top__gt=0, turn__placed_at__isnull=False)
    return played.exclude(turn__game__in=_list_secret_games())


def _list_secret_games() -> set[int]:
    """Return the games that are not over, and those whose racks and moves a game that is not over may repeat."""
    open_games = list_games_not_over()
    scripts = dict(PreparedGame.objects.filter(games__in=open_games).values_list("pk", "order"))
    repeated = Q(prepared__in=list(scripts)) | Q(
        pk__in=[order["game"] for order in scripts.values() if "game" in order]
    )
    return open_games | set(Game.objects.filter(repeated).values_list("pk", flat=True))


def _to_lost_turns(member: Member, verdicts: QuerySet[Verdict]) -> list[LostTurn]:
    rows = list(verdicts.select_related("slip", "turn__game__event"))
    tried = _list_exercises(member).filter(turn__in=[row.turn_id for row in rows]).order_by("pk")
    exercises = {each.turn_id: each for each in tried}
    return [_to_lost_turn(row, exercises.get(row.turn_id)) for row in rows]


def _to_lost_turn(row: Verdict, exercise: Exercise | None) -> LostTurn:
    turn, slip = row.turn, row.slip
    return LostTurn(
        turn=turn,
        word=slip.word if slip else "",
        ref=slip.place_text if slip else "",
        points=row.points,
        sentence=VerdictReader(turn.game).explanation(row)[0],
        best=tuple((top["word"], top["ref"]) for top in turn.tops or ()),
        exercise=exercise,
    )
