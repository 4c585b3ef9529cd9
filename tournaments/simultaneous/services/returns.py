"""Returns at the hub: receive a file, judge it again, decide which one counts, rank the players of all clubs."""

from __future__ import annotations

import gzip
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import cast

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from engine.archive.json_shape import FormatError
from engine.archive.schema import Archive, ArchiveError, format_timestamp
from engine.prepared.script import Script
from engine.simultaneous.ranking import rank
from engine.simultaneous.rejudging import GameReport, OtherGame, rejudge
from engine.simultaneous.returned import Fault, Returned, archives_of, find_fault, read_return
from engine.simultaneous.signals import equal_slip_signals, time_signals
from tournaments import signals
from tournaments.enums import ReturnCounts, ReturnFault, ReturnState
from tournaments.errors import AlreadyDone, Refused
from tournaments.lexicons import word_lists
from tournaments.models import ClubReturn, InvitedClub, Simultaneous, SimultaneousGame
from tournaments.now import utc_now
from tournaments.prepared.scripts import script_of, to_unsaved_game

MOST_UNPROVEN = 100  # files of unproven origin that are kept for one simultaneous game
MOST_OF_A_CLUB = 20
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Receipt:
    """Answer to whoever returned a file. `is_taken`: it counts, unless the organiser decides otherwise."""

    sentence: str
    is_taken: bool


def receive_return(*, simultaneous: Simultaneous, content: bytes, now: datetime) -> Receipt:
    """Keep a returned file and answer what is done with it.

    Raises Refused if it is no return and AlreadyDone if the same file was received before; neither is kept again.
    """
    try:
        returned = read_return(content.decode("utf-8-sig"))
        archives = archives_of(returned)
    except (ArchiveError, FormatError, UnicodeDecodeError) as error:
        raise Refused(
            _("This file is not the return of a simultaneous game: %(why)s. Send the file that the program saved.")
            % {"why": str(error).rstrip(".")}
        ) from None
    digest = sha256(content).hexdigest()
    with transaction.atomic():
        locked = Simultaneous.objects.select_for_update().get(pk=simultaneous.pk)
        known = locked.returns.filter(sha256=digest).defer("content", "report").first()
        if known is not None:
            raise AlreadyDone(_("This return was already received, %(at)s. Nothing was changed.") % _at(known))
        return _keep(locked, returned, archives, content, digest, now)


def _keep(
    simultaneous: Simultaneous,
    returned: Returned,
    archives: Sequence[tuple[int, Archive]],
    content: bytes,
    digest: str,
    now: datetime,
) -> Receipt:
    clubs = {club.number: club for club in simultaneous.clubs.all()}
    fault = find_fault(returned, simultaneous.package_id, {number: club.return_key for number, club in clubs.items()})
    club = clubs.get(returned["club"]) if fault is None or fault.kind == "altered" else None
    if fault is None and not _is_played(simultaneous, archives):
        fault = Fault("foreign")
    _require_room(simultaneous, club)
    earlier = _counted_return(club) if club else None
    is_late = fault is None and now > simultaneous.closes_at
    is_taken = fault is None and not is_late and earlier is None
    kept = ClubReturn.objects.create(
        simultaneous=simultaneous,
        club=club,
        received_at=now,
        content=gzip.compress(content, 6, mtime=0),
        sha256=digest,
        fault=fault.kind if fault else ReturnFault.LATE if is_late else "",
        altered_part=fault.part if fault else 0,
        counts=ReturnCounts.COUNTED if is_taken else ReturnCounts.HELD,
        players=max((len(archive["players"]) for _game, archive in archives), default=0),
        state=ReturnState.WAITING if club else ReturnState.FAILED,
    )
    if club:
        signals.send_return_received(kept)
    if fault is not None:
        return Receipt(_fault_sentence(simultaneous, returned, fault), is_taken=False)
    return Receipt(_receipt_sentence(simultaneous, kept, earlier, is_late=is_late), is_taken)


def _counted_return(club: InvitedClub) -> ClubReturn | None:
    return club.returns.filter(counts=ReturnCounts.COUNTED).defer("content", "report").first()


def _is_played(simultaneous: Simultaneous, archives: Sequence[tuple[int, Archive]]) -> bool:
    """Return whether each archive begins as its game of the package does."""
    racks = {game.number: _first_rack(script_of(game.prepared)) for game in _games(simultaneous)}
    return bool(archives) and all(
        bool(archive["turns"]) and racks.get(game) == archive["turns"][0]["rack"] for game, archive in archives
    )


def _first_rack(script: Script) -> str:
    return script["turns"][0]["rack"]


def _require_room(simultaneous: Simultaneous, club: InvitedClub | None) -> None:
    kept = simultaneous.returns.filter(club=club).count()
    if kept >= (MOST_UNPROVEN if club is None else MOST_OF_A_CLUB):
        raise Refused(_("Too many files were returned; keep this one and write to the organiser."))


def _fault_sentence(simultaneous: Simultaneous, returned: Returned, fault: Fault) -> str:
    kept = _("The file is kept, and the organiser decides.")
    if fault.kind == "foreign":
        own = Simultaneous.objects.filter(package_id=returned["simultaneous"]).exclude(pk=simultaneous.pk).first()
        if own is not None:
            sentence = _("This is the return of “%(other)s”, not of “%(title)s”: send it by the link of that game.")
            return f"{sentence % {'other': own.title, 'title': simultaneous.title}} {kept}"
        sentence = _("This return is of another game, not of “%(title)s”: choose the file of this one.")
        return f"{sentence % {'title': simultaneous.title}} {kept}"
    if fault.kind == "impostor":
        sentence = _(
            "This return does not prove that it comes from the club it names: return it from the program in which that "
            "club typed its start code."
        )
        return f"{sentence} {kept}"
    if fault.part:
        sentence = _("The archive of game %(game)d was altered after it was sealed: save the return again and send it.")
        return f"{sentence % {'game': returned['games'][fault.part - 1]['game']}} {kept}"
    sentence = _("The list of games was altered after it was sealed: save the return again and send it.")
    return f"{sentence} {kept}"


def _receipt_sentence(
    simultaneous: Simultaneous, kept: ClubReturn, earlier: ClubReturn | None, *, is_late: bool
) -> str:
    if is_late:
        sentence = _("The time window closed on %(at)s, so this return is too late. It is kept; the organiser decides.")
        return sentence % {"at": _moment(simultaneous.closes_at)}
    if earlier is not None:
        sentence = _(
            "Another return of %(club)s was received, %(at)s, and counts. This one is kept; the organiser decides."
        )
        return sentence % {"club": kept.club, **_at(earlier)}
    return _("The return of %(club)s was received: thank you.") % {"club": kept.club}


def _at(returned: ClubReturn) -> dict[str, str]:
    return {"at": _moment(returned.received_at)}


def _moment(moment: datetime) -> str:
    return date_format(localtime(moment), "DATETIME_FORMAT")


def judge_return(return_id: int, *, then_rank: bool = True) -> None:
    """Judge a return again and store the report; then rank, if no other return waits. Done at once if judged before."""
    returned = ClubReturn.objects.select_related("simultaneous", "club").filter(pk=return_id).first()
    if returned is None or returned.state != ReturnState.WAITING:
        return
    try:
        _judge(returned)
    except (ArchiveError, FormatError, Refused) as error:
        _fail(returned, str(error))
    except OtherGame:
        _fail(returned, _("Another game was played: its first rack is not that of this one."))
    except Exception:
        log.exception("return %s could not be judged", return_id)
        _fail(returned, _("The file could not be judged; the log of the program says more."))
    if then_rank and not returned.simultaneous.returns.filter(state=ReturnState.WAITING).exists():
        compute_ranking(returned.simultaneous)


def _judge(returned: ClubReturn) -> None:
    simultaneous = returned.simultaneous
    scripts = {game.number: script_of(game.prepared) for game in _games(simultaneous)}
    reports: list[GameReport] = []
    found = []
    for game, archive in archives_of(read_return(content_of(returned).decode("utf-8-sig"))):
        lists = word_lists.lists_of(to_unsaved_game(scripts[game]))
        reports.append(rejudge(game, scripts[game], archive, *lists))
        found += time_signals(game, archive, simultaneous.opens_at, simultaneous.closes_at)
        found += equal_slip_signals(game, archive)
    differences = sum(
        len(report["differences"]) + report["more_differences"] + len(report["slips"]) for report in reports
    )
    ClubReturn.objects.filter(pk=returned.pk).update(
        state=ReturnState.JUDGED, report=reports, signals=found, differences=differences, error=""
    )


def _fail(returned: ClubReturn, sentence: str) -> None:
    ClubReturn.objects.filter(pk=returned.pk).update(
        state=ReturnState.FAILED, error=sentence[:400], counts=ReturnCounts.HELD
    )


def content_of(returned: ClubReturn) -> bytes:
    """Return the file as it was received."""
    return gzip.decompress(bytes(returned.content))


def decide(*, returned: ClubReturn, counts: bool, by: User, now: datetime) -> None:
    """Let a return count, in place of another one of its club, or withdraw it. Both stay in the history."""
    with transaction.atomic():
        simultaneous = Simultaneous.objects.select_for_update().get(pk=returned.simultaneous_id)
        locked = ClubReturn.objects.select_for_update(of=("self",)).select_related("club").get(pk=returned.pk)
        wanted = ReturnCounts.COUNTED if counts else ReturnCounts.WITHDRAWN
        if locked.counts == wanted:
            raise AlreadyDone(_("This was decided before."))
        if counts and (locked.club is None or locked.state != ReturnState.JUDGED):
            raise Refused(_("Only a return that proves its club and was judged again can count."))
        if counts:
            others = simultaneous.returns.filter(club=locked.club, counts=ReturnCounts.COUNTED)
            others.update(counts=ReturnCounts.REPLACED)
        locked.counts = wanted
        act = {"at": format_timestamp(now), "by": by.get_username(), "kind": str(wanted)}
        locked.acts = [*locked.acts, act]
        locked.save(update_fields=["counts", "acts"])
    compute_ranking(simultaneous)


def list_waiting_returns() -> list[int]:
    """Return the numbers of the returns that wait, for example after a restart of the program."""
    return list(ClubReturn.objects.filter(state=ReturnState.WAITING).order_by("pk").values_list("pk", flat=True))


def compute_ranking(simultaneous: Simultaneous) -> None:
    """Rank the players of all returns that count, and store the ranking."""
    counting = simultaneous.returns.filter(counts=ReturnCounts.COUNTED, state=ReturnState.JUDGED, club__isnull=False)
    rows = counting.order_by("pk").values_list("club__number", "report")
    reports = {number: cast(list[GameReport], report) for number, report in rows}
    clubs = dict(simultaneous.clubs.values_list("number", "name"))
    tops = {game.number: [turn["top"] for turn in script_of(game.prepared)["turns"]] for game in _games(simultaneous)}
    ranking = rank(reports, clubs, tops)
    Simultaneous.objects.filter(pk=simultaneous.pk).update(ranking=ranking, ranked_at=utc_now())


def _games(simultaneous: Simultaneous) -> list[SimultaneousGame]:
    return list(simultaneous.prepared_games.select_related("prepared"))
