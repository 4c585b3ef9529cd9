"""Pages of the handbook for the pages of the desk."""

from __future__ import annotations

from collections.abc import Mapping

from referee.handbook.rendering import INDEX, address_of

_FIRST = "run-a-club-night"
_TASKS: Mapping[str, tuple[str, ...]] = {
    "a-season": (
        "earlier-evenings",
        "export-template",
        "export-templates",
        "federation-files",
        "propose-handicap",
        "propose-series",
        "ranking-edit",
        "ranking-new",
        "ratings",
        "ratings-explained",
        "season",
        "season-edit",
        "season-events",
        "season-member",
        "season-new",
        "seasons",
    ),
    "appeals-and-warnings": ("again", "appeals", "differences"),
    "check-in-and-tables": ("arrivals", "table-plan"),
    "import-players": ("player-file", "players"),
    "installation-problems": ("readiness",),
    "judge-slips": ("clear-groups", "group", "preview"),
    "members": (
        "club-records",
        "event-members",
        "member",
        "member-data",
        "member-duplicates",
        "member-file",
        "member-history",
        "member-new",
        "members",
        "members-review",
    ),
    "phones-of-players": ("privacy", "seat-codes"),
    "prepare-an-event": ("new", "rehearsal"),
    "prepared-games-and-practice": ("field", "prepared", "prepared-inside"),
    "print-sheets": ("document-look", "documents", "letterhead"),
    _FIRST: ("console",),
    "rules-and-switches": ("rules", "rules-of-profile"),
    "several-judges-and-typists": ("account", "staff"),
    "several-rooms": ("rooms",),
    "simultaneous-games": (
        "simultaneous",
        "simultaneous-club",
        "simultaneous-comments",
        "simultaneous-games",
        "simultaneous-new",
        "simultaneous-open",
        "simultaneous-played",
    ),
    "standings-and-final-results": ("analysis", "public-page", "rounds", "standings"),
    "the-club-website": ("api-tokens", "club", "results-to-players", "webhooks"),
    "verify-a-game": ("check-archive", "log", "verify"),
    "wall-and-projector": ("calls",),
    "backup-and-restore": ("restore",),
    "word-lists-and-editions": ("edition", "editions", "word-lists", "words"),
}
_PHASES: Mapping[str, str] = {
    "running": "collect-paper-slips",
    "paused": "collect-paper-slips",
    "closed": "judge-slips",
    "placed": "place-and-go-on",
    "drawn": "place-and-go-on",
    "finished": "standings-and-final-results",
}
_BY_PAGE = {page: task for task, pages in _TASKS.items() for page in pages}


def help_address(page: str) -> str:
    """Return the address of the task of a page of the desk, or of the index."""
    return address_of(_BY_PAGE.get(page, INDEX))


def help_address_in(phase: str) -> str:
    """Return the address of the task of a phase of a turn."""
    return address_of(_PHASES.get(phase, _FIRST))
