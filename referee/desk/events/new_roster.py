"""The file of players in the form of a new event: it is shown first, and counts once it was shown as it is."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import HttpRequest
from django.utils.translation import gettext as _

from referee.desk.players.roster_preview import RosterPreview, read_preview
from referee.desk.uploaded_table import has_table
from tournaments.errors import Refused


@dataclass(frozen=True, slots=True)
class NewRoster:
    """The file of the form, if there is one. `sentence` says why it does not count yet, or why it cannot be read."""

    preview: RosterPreview | None = None
    sentence: str = ""

    @property
    def is_confirmed(self) -> bool:
        """Return True when the event can be created: without a file, or with one that was shown as it is."""
        return not self.sentence


def read_new_roster(request: HttpRequest) -> NewRoster:
    """Read the file that a request brings; the digest in `shown` is that of the preview which the page holds."""
    if not has_table(request) or "leave_file" in request.POST:
        return NewRoster()
    try:
        preview = read_preview(request, None)
    except Refused as refused:
        return NewRoster(sentence=refused.sentence)
    return NewRoster(preview, _open_point(preview, request.POST.get("shown", "")))


def _open_point(preview: RosterPreview, shown: str) -> str:
    if not preview.is_ready:
        return _("Not every row of the file can be used yet: correct or answer what is marked, then check again.")
    if preview.changes.digest != shown:
        return _("Check the players of the file, then open the desk.")
    return ""
