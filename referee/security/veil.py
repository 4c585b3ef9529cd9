"""What a judge who plays along may open while the turn is hidden from him. What is not named here stays shut, so a new
page hides the turn until somebody has made sure that it tells nothing of it.
"""

from __future__ import annotations

PAGES = frozenset(
    {
        "console",
        "main",
        "act",
        "backup",
        "health",
        "players",
        "arrivals",
        "table-plan",
        "player-file",
        "rounds",
        "rooms",
        "seat-codes",
        "standings",
        "standings-csv",
        "spoken",
        "appeals-open",
        "log",
        "rules",
        "privacy",
        "rehearsal",
        "rehearsal-phones",
        "staff",
        "staff-add",
        "staff-link",
        "staff-password",
        "staff-role",
        "staff-revoke",
    }
)

ACTIONS = frozenset(
    {
        "take-back-rack",
        "announce",
        "pause",
        "resume",
        "more-time",
        "close",
        "undo",
        "give-back",
        "replay",
        "go-on",
        "give-warning",
        "add-players",
        "rename-player",
        "player-leaves",
        "player-comes-back",
        "disqualify-player",
        "reinstate-player",
        "player-here",
        "player-expected",
        "player-absent",
        "rest-absent",
        "walk-in",
        "assign-tables",
        "swap-tables",
        "free-phone",
        "new-seat-code",
        "set-seat-codes",
        "set-listed-only",
        "set-teams",
        "set-handicap",
        "set-double-typing",
        "another-desk",
        "play-along",
        "play-no-more",
        "slip-is-final",
    }
)


def is_open(page: str, action: str | None) -> bool:
    """Whether a page, and what it is asked to do, tells nothing of the turn that is being played."""
    return page in PAGES and (action is None or action in ACTIONS)
