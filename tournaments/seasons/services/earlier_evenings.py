"""Import of evenings that were played without this program, or in another installation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from dataclasses import replace as replace_fields

from django.db import transaction
from django.utils.translation import gettext as _

from tournaments import validators
from tournaments.errors import Refused
from tournaments.models import EventSummary, PlayerResult
from tournaments.players.name_folding import fold_text
from tournaments.seasons.earlier_evenings import EarlierEvening, EarlierResult
from tournaments.seasons.queries.earlier_evenings import ComparedEvening, EveningState, compare_evenings

SOURCE_LENGTH = 200


@dataclass(frozen=True, slots=True)
class ImportedEvenings:
    """The numbers of evenings that were stored, that replaced stored ones, and that were there already, and the number
    of results that are linked to no member."""

    stored: int
    replaced: int
    unchanged: int
    unlinked: int


@transaction.atomic
def import_evenings(evenings: Sequence[EarlierEvening], *, replace: bool) -> ImportedEvenings:
    """Store the new evenings, and with `replace` also those that differ from the stored ones.

    Nothing is stored if an evening has no date, or differs and may not be replaced. Members who were linked to results
    of a replaced evening stay linked, and those who were anonymised stay without their names.
    """
    compared = compare_evenings(evenings)
    if any(each.state is EveningState.UNDATED for each in compared):
        raise Refused(_("An evening has no date: type it, or write it into the heading of its column."))
    if not replace and any(each.state is EveningState.CHANGED for each in compared):
        raise Refused(_("An evening differs from the stored one: tick that it is replaced, or leave it out."))
    _require_different(compared)
    chosen = [each for each in compared if each.state in (EveningState.NEW, EveningState.CHANGED)]
    unlinked = sum(_store(each) for each in chosen)
    replaced = sum(each.state is EveningState.CHANGED for each in chosen)
    return ImportedEvenings(len(chosen) - replaced, replaced, len(compared) - len(chosen), unlinked)


@transaction.atomic
def delete_imported_evening(summary: EventSummary) -> None:
    """Delete an imported evening with its results; events of this installation are not deleted here."""
    if summary.event_id is not None:
        raise Refused(_("This is an event of this installation: delete it on the page of events."))
    summary.delete()


def _require_different(compared: Iterable[ComparedEvening]) -> None:
    """Refuse two evenings of one date and name: the second would replace the first."""
    seen = set()
    for each in compared:
        key = each.evening.date, fold_text(each.evening.name)
        if key in seen:
            raise Refused(
                _("Two evenings have the date %(date)s and the name “%(name)s”: give one of them another name.")
                % {"date": each.evening.date, "name": each.evening.name}
            )
        seen.add(key)


def _store(compared: ComparedEvening) -> int:
    """Store an evening; return the number of results without a member."""
    evening, kept = compared.evening, _kept_members(compared.stored)
    assert evening.date is not None  # noqa: S101  evenings without a date are refused before
    facts = {
        "name": validators.event_name(evening.name),
        "date": evening.date,
        "source": evening.source[:SOURCE_LENGTH],
        "tops": evening.tops,
        "turns": evening.turns,
        "games": evening.games,
    }
    summary = compared.stored or EventSummary()
    for name, value in facts.items():
        setattr(summary, name, value)
    nameless = _find_nameless(compared)
    summary.save()
    summary.results.all().delete()
    rows = [
        _row(summary, result, member or kept.get(_key(result)))
        if at not in nameless
        else _row(summary, replace_fields(result, name="", licence="", club=""), nameless[at])
        for at, (result, member) in enumerate(zip(evening.results, compared.members, strict=True))
    ]
    PlayerResult.objects.bulk_create(rows)
    return sum(row.member_id is None for row in rows)


def _kept_members(stored: EventSummary | None) -> Mapping[tuple[str, str], int]:
    rows = PlayerResult.objects.filter(summary=stored, member__isnull=False) if stored is not None else ()
    return {(fold_text(row.name), row.licence): row.member_id or 0 for row in rows}


def _find_nameless(compared: ComparedEvening) -> dict[int, int]:
    """Return the places of results in the evening whose stored ones lost their name, each with its member.

    The file still has the names; a result is recognised by its rank and points, and a single one as the rest. Refused
    if the file does not tell which one it is.
    """
    if compared.stored is None:
        return {}
    stored = PlayerResult.objects.filter(summary=compared.stored, member__isnull=False)
    lost = list(stored.filter(member__anonymised_at__isnull=False))
    named = {_key(row) for row in stored.filter(member__anonymised_at=None)}
    results = {at: each for at, each in enumerate(compared.evening.results) if _key(each) not in named}
    found: dict[int, int] = {}
    for row in lost:
        alike = [at for at, each in results.items() if (each.rank, each.points) == (row.rank, row.points)]
        only = alike if len(alike) == 1 or len(lost) > 1 else list(results)
        if len(only) != 1 or row.member_id is None:
            raise Refused(
                _("“%(event)s”: the file does not tell which result an anonymised member has. Leave this evening out.")
                % {"event": compared.evening.name}
            )
        found[only[0]] = row.member_id
        del results[only[0]]
    return found


def _key(result: EarlierResult | PlayerResult) -> tuple[str, str]:
    return fold_text(result.name), result.licence


def _row(summary: EventSummary, result: EarlierResult, member: int | None) -> PlayerResult:
    return PlayerResult(
        summary=summary,
        member_id=member,
        name=result.name,
        licence=result.licence,
        club=result.club,
        rank=result.rank,
        points=result.points,
        solos=result.solos,
        tops_found=result.tops_found,
        best_word=result.best_word,
        best_points=result.best_points,
        games=[asdict(game) for game in result.games],
    )
