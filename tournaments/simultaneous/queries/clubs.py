"""The clubs of a simultaneous game with their returns, for the organiser."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from engine.archive.replay import Difference
from engine.simultaneous.rejudging import GameReport
from tournaments.enums import ReturnCounts
from tournaments.ledger.chain_text import difference_sentence
from tournaments.models import ClubReturn, InvitedClub, Simultaneous
from tournaments.results.archive_check import to_printable
from tournaments.simultaneous.queries.signal_text import signal_sentence


@dataclass(frozen=True, slots=True)
class ClubState:
    """A club and its returns, newest first. `counted` is the one whose players are ranked."""

    club: InvitedClub
    counted: ClubReturn | None
    held: Sequence[ClubReturn]
    signals: int


@dataclass(frozen=True, slots=True)
class ReportView:
    """Report on a game of a return: the facts that do not follow, and the slips that the hub judges differently."""

    report: GameReport
    sentences: Sequence[str]


@dataclass(frozen=True, slots=True)
class ReturnView:
    """A return with its reports and the sentences on its signals; both are empty while they are `hidden`."""

    returned: ClubReturn
    reports: Sequence[ReportView]
    signals: Sequence[str]

    @property
    def decisions(self) -> list[tuple[datetime, str]]:
        """Decisions of the organiser: their times and kinds."""
        return [(datetime.fromisoformat(act["at"]), act["kind"]) for act in self.returned.acts]


def list_clubs(simultaneous: Simultaneous) -> list[ClubState]:
    """List all invited clubs by number."""
    by_club: dict[int | None, list[ClubReturn]] = defaultdict(list)
    for returned in simultaneous.returns.defer("content", "report"):
        by_club[returned.club_id].append(returned)
    ranked = (simultaneous.ranking or {}).get("signals", {})
    return [
        _club_state(club, by_club[club.pk], len(ranked.get(str(club.number), ()))) for club in simultaneous.clubs.all()
    ]


def _club_state(club: InvitedClub, returns: Sequence[ClubReturn], unusual: int) -> ClubState:
    counted = next((each for each in returns if each.counts == ReturnCounts.COUNTED), None)
    held = [each for each in returns if each.counts == ReturnCounts.HELD]
    return ClubState(club, counted, held, len(counted.signals) + unusual if counted else 0)


def list_unproven(simultaneous: Simultaneous) -> list[ClubReturn]:
    """List the files that prove no club, newest first."""
    return list(simultaneous.returns.filter(club=None).defer("content", "report"))


def list_returns(club: InvitedClub, now: datetime) -> list[ReturnView]:
    """List the returns of a club, newest first. What they contain is hidden while clubs may be playing."""
    hidden = may_be_playing(club.simultaneous, now)
    ranked = (club.simultaneous.ranking or {}).get("signals", {}).get(str(club.number), [])
    return [_return_view(each, [] if hidden else ranked, hidden=hidden) for each in club.returns.defer("content")]


def may_be_playing(simultaneous: Simultaneous, now: datetime) -> bool:
    """Return whether the time window is not over, so that the organiser's pages show no turn."""
    return now < simultaneous.closes_at


def _return_view(returned: ClubReturn, ranked: Sequence[object], *, hidden: bool) -> ReturnView:
    if hidden or returned.report is None:
        return ReturnView(returned, (), ())
    reports = [ReportView(report, _sentences(report)) for report in returned.report]
    counted = ranked if returned.counts == ReturnCounts.COUNTED else ()
    return ReturnView(returned, reports, [signal_sentence(each) for each in [*returned.signals, *counted]])


def _sentences(report: GameReport) -> list[str]:
    found = (Difference(each["where"], each["stored"], each["derived"]) for each in report["differences"])
    return [to_printable(difference_sentence(difference)) for difference in found]
