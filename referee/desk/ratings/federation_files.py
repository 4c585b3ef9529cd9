"""Files for federations of an event: SIGLES, and a file for each export template."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render

from referee.desk.access import desk_page
from referee.desk.desk import Desk
from referee.results.template_file import MEDIA_TYPES, TemplateFile, write_template_file
from referee.security.permissions import JUDGES
from tournaments.models import ExportTemplate
from tournaments.results.queries.event_export import EventExport, event_export

SAMPLE_LINES = 6


@dataclass(frozen=True, slots=True)
class FederationFile:
    """A template with the file that it gives for the event."""

    template: ExportTemplate
    file: TemplateFile

    @property
    def sample(self) -> str:
        """The first lines."""
        return first_lines(self.file)


@desk_page("federation-files", get=JUDGES, spoiler=True)
def federation_files(request: HttpRequest, desk: Desk) -> HttpResponse:
    """List the templates with the first lines of the file of each."""
    export = _export(desk)
    files = [FederationFile(each, write_template_file(each, export)) for each in ExportTemplate.objects.all()]
    context = {"event": desk.event, "files": files, "page": "documents"}
    return render(request, "desk/ratings/federation_files.html", context)


@desk_page("federation-file", get=JUDGES, spoiler=True)
def federation_file(request: HttpRequest, desk: Desk, pk: int) -> HttpResponse:
    """Send the file of a template."""
    template = get_object_or_404(ExportTemplate, pk=pk)
    written = write_template_file(template, _export(desk))
    name = f"{desk.event.code}-federation-{template.pk}.csv"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(written.content, content_type=MEDIA_TYPES[template.encoding], headers=headers)


def first_lines(file: TemplateFile) -> str:
    """Return the beginning of a file for a page; tabs are shown as arrows."""
    return "\n".join(file.text.splitlines()[:SAMPLE_LINES]).replace("\t", " → ")


def _export(desk: Desk) -> EventExport:
    export = event_export(desk.event, room=None if desk.room.is_drawing else desk.room)
    if export is None:
        raise Http404
    return export
