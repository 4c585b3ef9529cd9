"""Appeals: the time limits, the appeals that a player's phone shows, and the queue of the judges."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count, F, Max, QuerySet

from tournaments.enums import AppealState
from tournaments.judging.verdicts import VerdictReader
from tournaments.models import Appeal, Entry, Event, Game, Player, Room, Turn, TurnClock, Verdict, players_in
from tournaments.play.queries.phases import is_over_in
from tournaments.staff.queries import name_of


@dataclass(frozen=True, slots=True)
class AppealLimit:
    """Limit for an appeal, `until` included.

    `until` is None if the limit depends on the last turn, which is not over (`open`), or if appeals are not allowed
    (`never`).
    """

    until: datetime | None
    open: bool = False
    never: bool = False
    end_minutes: int = 0

    def allows(self, now: datetime) -> bool:
        """Return whether an appeal is in time now."""
        if self.open:
            return True
        return self.until is not None and now <= self.until


NO_APPEAL = AppealLimit(None, never=True)


@dataclass(frozen=True, slots=True)
class OwnAppeal:
    """An appeal as its own player's phone shows it."""

    turn: int
    word: str
    sentence: str
    state: str
    answer: str
    made_at: datetime


@dataclass(frozen=True, slots=True)
class AppealableVerdict:
    """A verdict of a player, with the limit for an appeal; `appealed`: an appeal exists."""

    turn: int
    word: str
    ref: str
    points: int
    sentence: str
    appealed: bool
    limit: AppealLimit


@dataclass(frozen=True, slots=True)
class OpenAppeal:
    """An appeal as judges read it: the slip, its verdict, board and rack of that turn.

    `text` is the verdict, `reason` the judge's decision, `failed` the invalid word, `played` the word that counts.
    `equal`: tables with the same slip; `changed`: a ruling has since changed the player's points.
    """

    pk: int
    turn: int
    table: int
    name: str
    room: str
    source: str
    sentence: str
    made_at: datetime
    word: str
    ref: str
    declared: int | None
    points: int
    result: str
    text: str
    reason: str
    group: str
    failed: str
    played: str
    equal: list[int]
    changed: bool
    rack: str
    board: list[str]
    master: str


@dataclass(frozen=True, slots=True)
class AnsweredAppeal:
    """An appeal that was answered."""

    turn: int
    table: int
    name: str
    sentence: str
    state: str
    label: str
    answer: str
    by: str
    answered_at: datetime | None
    entry: int | None


def get_appeal_limit(game: Game, turn: Turn, room: Room) -> AppealLimit:
    """The limit for appeals of a turn in a room, from the times of its result and of the end of the game there."""
    shown = TurnClock.objects.filter(turn=turn, room=room, shown_at__isnull=False)
    shown_at = shown.values_list("shown_at", flat=True).first()
    return _limit(game, shown_at, _over_at(game, room) if game.appeal_end_minutes else None)


def _limit(game: Game, shown_at: datetime | None, over_at: datetime | None) -> AppealLimit:
    if not (game.appeal_minutes or game.appeal_end_minutes) or shown_at is None:
        return NO_APPEAL
    after_turn = shown_at + timedelta(minutes=game.appeal_minutes) if game.appeal_minutes else None
    if not game.appeal_end_minutes:
        return AppealLimit(after_turn)
    if over_at is None:
        return AppealLimit(None, open=True, end_minutes=game.appeal_end_minutes)
    after_game = over_at + timedelta(minutes=game.appeal_end_minutes)
    return AppealLimit(after_game if after_turn is None else max(after_turn, after_game))


def _over_at(game: Game, room: Room) -> datetime | None:
    """Time at which the last turn was shown in a room; None until the game is over there."""
    if not is_over_in(game, room):
        return None
    shown = TurnClock.objects.filter(turn__game=game, room=room).aggregate(last=Max("shown_at"))
    last: datetime | None = shown["last"]
    return last or game.finished_at


def own_appeals(game: Game, players: Collection[int] | QuerySet[Entry, int]) -> dict[int, list[OwnAppeal]]:
    """By player the appeals of these players, the newest first."""
    rows = Appeal.objects.filter(turn__game=game, player__in=players).select_related("turn", "slip").order_by("-pk")
    found: dict[int, list[OwnAppeal]] = {}
    for row in rows:
        own = OwnAppeal(row.turn.number, row.slip.word, row.sentence, row.state, row.answer, row.made_at)
        found.setdefault(row.player_id, []).append(own)
    return found


def list_appealable_verdicts(player: Player, game: Game) -> list[AppealableVerdict]:
    """The verdicts of a player in the turns shown in their room, newest first, each with its limit."""
    room = Room.objects.filter(entries__game=game, entries__player=player).first()
    if room is None:
        return []
    shown = TurnClock.objects.filter(turn__game=game, room=room, shown_at__isnull=False)
    at = dict(shown.values_list("turn_id", "shown_at"))
    over_at = _over_at(game, room) if game.appeal_end_minutes else None
    rows = Verdict.objects.filter(player=player, turn__in=at, slip__isnull=False).select_related("turn", "slip")
    appealed = set(Appeal.objects.filter(player=player, turn__game=game).values_list("turn_id", flat=True))
    reader = VerdictReader(game)
    return [
        AppealableVerdict(
            turn=row.turn.number,
            word=row.slip.word,
            ref=row.slip.place_text,
            points=row.points,
            sentence=reader.sentence(row),
            appealed=row.turn_id in appealed,
            limit=_limit(game, at[row.turn_id], over_at),
        )
        for row in rows.order_by("-turn__number")
        if row.slip is not None
    ]


def open_appeals(game: Game, room: Room | None = None) -> list[OpenAppeal]:
    """The unanswered appeals of a room or of all rooms, oldest first."""
    rows = _filter_appeals(game, room).filter(state=AppealState.OPEN)
    rows = rows.select_related("turn", "player__room", "slip").order_by("pk")
    verdicts = {(row.turn_id, row.player_id): row for row in _verdicts(rows)}
    equal = _equal(game, room, {row.group for row in verdicts.values()})
    reader = VerdictReader(game)
    return [
        _open_appeal(row, verdict, equal, reader)
        for row in rows
        if (verdict := verdicts.get((row.turn_id, row.player_id))) is not None  # None while a room replays the turn
    ]


def count_open_appeals(event: Event, room: Room) -> dict[int, int]:
    """Number of open appeals at the desk of a room, by game number; the drawing room's desk has those of all rooms."""
    rows = Appeal.objects.filter(turn__game__event=event, state=AppealState.OPEN)
    if not room.is_drawing:
        rows = rows.filter(player__entries__game=F("turn__game"), player__entries__room=room)
    return dict(rows.values_list("turn__game__number").annotate(n=Count("pk")).order_by("turn__game__number"))


def answered_appeals(game: Game, room: Room | None = None) -> list[AnsweredAppeal]:
    """The answered appeals of a room or of all rooms, latest first."""
    rows = _filter_appeals(game, room).exclude(state=AppealState.OPEN).select_related("turn", "player", "answered_by")
    return [
        AnsweredAppeal(
            turn=row.turn.number,
            table=row.player.table,
            name=row.player.name,
            sentence=row.sentence,
            state=row.state,
            label=row.get_state_display(),
            answer=row.answer,
            by=name_of(row.answered_by) if row.answered_by else "",
            answered_at=row.answered_at,
            entry=row.answer_entry,
        )
        for row in rows.order_by("-answered_at", "-pk")
    ]


def _filter_appeals(game: Game, room: Room | None) -> QuerySet[Appeal]:
    rows = Appeal.objects.filter(turn__game=game)
    return rows if room is None else rows.filter(player__in=players_in(game, room))


def _verdicts(rows: QuerySet[Appeal]) -> QuerySet[Verdict]:
    """The verdicts of the appellants in the turns concerned; may include others."""
    whose = {"turn__in": rows.values("turn"), "player__in": rows.values("player")}
    return Verdict.objects.filter(**whose).select_related("slip")


def _equal(game: Game, room: Room | None, groups: Collection[str]) -> dict[tuple[int, str], list[int]]:
    """Tables with identical slips, by turn id and group."""
    rows = Verdict.objects.filter(turn__game=game, group__in=groups)
    if room is not None:
        rows = rows.filter(player__in=players_in(game, room))
    found: dict[tuple[int, str], list[int]] = {}
    for turn, group, table in rows.order_by("player__table").values_list("turn_id", "group", "player__table"):
        found.setdefault((turn, group), []).append(table)
    return found


def _open_appeal(
    row: Appeal, verdict: Verdict, equal: Mapping[tuple[int, str], list[int]], reader: VerdictReader
) -> OpenAppeal:
    turn = row.turn
    return OpenAppeal(
        pk=row.pk,
        turn=turn.number,
        table=row.player.table,
        name=row.player.name,
        room=row.player.room.name,
        source=row.get_source_display(),
        sentence=row.sentence,
        made_at=row.made_at,
        word=row.slip.word,
        ref=row.slip.place_text,
        declared=row.slip.declared,
        points=verdict.points,
        result=verdict.result,
        text=reader.sentence(verdict),
        reason=verdict.decision_reason,
        group=verdict.group,
        failed=verdict.word,
        played=verdict.move_word if verdict.result != "zero" else "",
        equal=equal.get((row.turn_id, verdict.group), []),
        changed=verdict.points != row.points,
        rack=turn.rack,
        board=turn.board,
        master=f"{turn.master_word} {turn.master_ref}".strip(),
    )
