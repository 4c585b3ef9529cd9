"""The register of rulings: what judges have decided in a game, in order, read out of its ledger.

lines = rulings_in(archive["ledger"]["entries"])

Entries of older versions tell less; what an entry does not tell is None here, never guessed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

Kind = Literal["word", "slip", "warning", "rules", "appeal", "player"]
KINDS = ("word_ruling", "slip_ruling", "warning", "rules", "reopened", "appeal_answer", "disqualify", "reinstate")
_ACTS: Mapping[str, Kind] = {"word_ruling": "word", "slip_ruling": "slip", "warning": "warning"}


@dataclass(frozen=True, slots=True)
class RulingLine:
    """One decision. `entry` is its number in the ledger; `subject` the word, or word and place of the slip; `ruling`
    what became of it: accepted, struck, revoked, points, by_rule, given, taken_back, changed, rejected, upheld,
    disqualify or reinstate. The subject of the last two is the number of the table.

    `tables`: those whose points it changed, `grown` by how much together; None if the entry does not say. `again`:
    the turn was on the board already. `appeals`: the tables whose appeals it answered. `own_slip`: the judge plays
    too, and their own slip was among those.
    """

    entry: int
    at: str
    by: str
    turn: int | None
    kind: Kind
    subject: str
    ruling: str
    points: int | None
    reason: str
    tables: Sequence[int] | None
    grown: int | None
    again: bool
    appeals: Sequence[int]
    own_slip: bool = False


def list_rulings(entries: Iterable[Mapping[str, Any]], turns: int | None = None) -> list[RulingLine]:
    """The decisions that these entries tell of, in order; with `turns` only those on turns up to that one."""
    lines = [_line(entry) for entry in entries if entry["kind"] in KINDS and isinstance(entry["data"], Mapping)]
    return [line for line in lines if line is not None and (turns is None or (line.turn or 0) <= turns)]


def _line(entry: Mapping[str, Any]) -> RulingLine | None:
    told, kind = entry["data"], entry["kind"]
    if kind == "rules":
        return _rules_line(entry, told)
    if kind == "appeal_answer":
        return _build_line(entry, told, "appeal", "", str(told.get("state", "")), appeals=_numbers([told.get("table")]))
    if kind in ("disqualify", "reinstate"):
        return _build_line(entry, told, "player", str(told.get("table", "")), kind)
    if kind == "reopened":
        return _reopened(entry, told)
    return _in_time_line(entry, told, _ACTS[kind])


def _in_time_line(entry: Mapping[str, Any], told: Mapping[str, Any], kind: Kind) -> RulingLine:
    tables = _numbers(told["tables"]) if "tables" in told else None
    grown = told.get("grown") if isinstance(told.get("grown"), int) else None
    return _build_line(entry, told, kind, *_subject_and_ruling(kind, told), tables=tables, grown=grown)


def _reopened(entry: Mapping[str, Any], told: Mapping[str, Any]) -> RulingLine:
    act = told.get("act")
    kind: Kind = "slip" if act == "slip" else "warning" if act == "warning" else "word"
    rows = [row for row in told.get("differences", ()) if isinstance(row, list) and len(row) >= 4]
    tables = sorted({row[1] for row in rows})
    grown = sum(row[3] - row[2] for row in rows)
    appeals = _numbers(told.get("appeals", ()))
    return _build_line(
        entry, told, kind, *_subject_and_ruling(kind, told), tables=tables, grown=grown, again=True, appeals=appeals
    )


def _subject_and_ruling(kind: Kind, told: Mapping[str, Any]) -> tuple[str, str]:
    """(subject, ruling)."""
    if kind == "word":
        return str(told.get("word", "")), str(told.get("ruling", ""))
    if kind == "slip":
        place = " ".join(str(told[name]) for name in ("word", "ref") if told.get(name))
        return place, "by_rule" if told.get("points") is None else "points"
    return f"{told.get('table', '')} {told.get('code', '')}".strip(), "given" if told.get("given") else "taken_back"


def _rules_line(entry: Mapping[str, Any], told: Mapping[str, Any]) -> RulingLine | None:
    """Only what was changed while turns were played; the rules before the first rack are no ruling."""
    changed = told.get("switches")
    if not isinstance(changed, Mapping) or "put_back" in told or not changed:
        return None
    return _build_line(entry, told, "rules", ", ".join(sorted(changed)), "changed")


def _build_line(
    entry: Mapping[str, Any],
    told: Mapping[str, Any],
    kind: Kind,
    subject: str,
    ruling: str,
    *,
    tables: Sequence[int] | None = None,
    grown: int | None = None,
    again: bool = False,
    appeals: Sequence[int] = (),
) -> RulingLine:
    turn, points = told.get("turn"), told.get("points")
    return RulingLine(
        entry=entry["n"],
        at=entry["at"],
        by=entry["by"] or "",
        turn=turn if isinstance(turn, int) else None,
        kind=kind,
        subject=subject,
        ruling=ruling,
        points=points if isinstance(points, int) else None,
        reason=str(told.get("reason") or ""),
        tables=tables,
        grown=grown,
        again=again,
        appeals=appeals,
        own_slip=told.get("own_slip") is True,
    )


def _numbers(found: object) -> list[int]:
    return [number for number in found if isinstance(number, int)] if isinstance(found, Iterable) else []
