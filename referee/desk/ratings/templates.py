"""The pages of export templates: the list, and the editor with a sample of the last event."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from engine.bounded_input import parse_whole_number
from referee.desk.access import general_page, user_of
from referee.desk.ratings.federation_files import first_lines
from referee.desk.registry import Access
from referee.results.template_columns import COLUMNS
from referee.results.template_file import write_template_file
from tournaments.enums import Role
from tournaments.errors import Refused
from tournaments.models import Event, ExportTemplate
from tournaments.ratings.services.templates import (
    check_template,
    copy_template,
    delete_template,
    save_template,
)
from tournaments.results.queries.event_export import event_export

SEPARATOR_NAMES = {";": "semicolon", ",": "comma", "\t": "tab", "|": "bar"}
LINE_END_NAMES = {"\r\n": "crlf", "\n": "lf"}
FIRST_COLUMNS = ("rank", "licence", "name", "points")
_LAST_PLACE = 999


@dataclass(frozen=True, slots=True)
class ColumnRow:
    """A column in the editor; `place` is empty for one that is not in the file."""

    name: str
    title: str | Promise
    place: str
    heading: str


@require_http_methods(["GET", "HEAD", "POST"])
@general_page("export-templates", access=Access.ORGANISER)
def export_templates(request: HttpRequest) -> HttpResponse:
    """List the templates; a POST creates the template `name`, or a copy of the template `copy`."""
    refusal, name = "", request.POST.get("name", "")
    if request.method == "POST":
        try:
            return redirect("desk:export-template", _create(request.POST).pk)
        except Refused as refused:
            refusal = refused.sentence
    context = {"templates": ExportTemplate.objects.all(), "refusal": refusal, "name": name, "page": "templates"}
    return render(request, "desk/ratings/export_templates.html", context, status=422 if refusal else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@general_page("export-template", access=Access.ORGANISER)
def export_template(request: HttpRequest, pk: int) -> HttpResponse:
    """Edit a template. A POST with `save` stores it, with `delete` deletes it; any other POST shows the sample."""
    template, refusal = get_object_or_404(ExportTemplate, pk=pk), ""
    post = request.POST
    if "delete" in post:
        delete_template(template)
        messages.success(request, _("The template is deleted. Files that were written with it stay as they are."))
        return redirect("desk:export-templates")
    if request.method == "POST":
        try:
            read_template(post, template)
            check_template(template, COLUMNS)
            if "save" in post:
                save_template(template, COLUMNS)
                messages.success(request, _("The template is saved."))
                return redirect("desk:export-template", pk)
        except Refused as refused:
            refusal = refused.sentence
    context = {
        "template": template,
        "columns": _column_rows(template, post if request.method == "POST" else None),
        "separators": _choices(SEPARATOR_NAMES, _separator_titles(), template.separator),
        "line_ends": _choices(LINE_END_NAMES, {"crlf": "Windows (CR LF)", "lf": "Unix (LF)"}, template.line_end),
        "encodings": ExportTemplate.Encoding.choices,
        "refusal": refusal,
        "page": "templates",
        **({} if refusal else _sample(template, request)),
    }
    part = "desk/ratings/_template_sample.html"
    if getattr(request, "htmx", False):
        return render(request, part, context)
    return render(request, "desk/ratings/export_template.html", context, status=422 if refusal else 200)


def read_template(post: QueryDict, template: ExportTemplate) -> None:
    """Write the fields of the editor into a template, unchecked."""
    template.name = post.get("name", "")
    template.columns = _read_columns(post)
    template.separator = _key_of(SEPARATOR_NAMES, post.get("separator", ""))
    template.line_end = _key_of(LINE_END_NAMES, post.get("line_end", ""))
    template.encoding = post.get("encoding", "")
    template.decimal_sign = post.get("decimal_sign", "")
    template.with_header = "with_header" in post
    template.line_for_each_game = post.get("lines") == "game"
    template.for_rating = "for_rating" in post


def _create(post: QueryDict) -> ExportTemplate:
    source = parse_whole_number(post.get("copy", ""), digits=9)
    if source is not None:
        return copy_template(get_object_or_404(ExportTemplate, pk=source))
    columns = [[column, ""] for column in FIRST_COLUMNS]
    return save_template(ExportTemplate(name=post.get("name", ""), columns=columns), COLUMNS)


def _read_columns(post: QueryDict) -> list[list[str]]:
    """Return the columns that have a place, in the order of their places; equal places in the order of the page."""
    placed = []
    for column in COLUMNS:
        text = post.get(f"place-{column}", "").strip()
        place = parse_whole_number(text, digits=3)
        if text and place is None:
            raise Refused(_("“%(text)s” is not a whole number.") % {"text": text[:20]})
        if place:
            placed.append((place, column))
    return [[column, post.get(f"heading-{column}", "")] for _place, column in sorted(placed, key=lambda each: each[0])]


def _column_rows(template: ExportTemplate, post: QueryDict | None) -> list[ColumnRow]:
    """Return all columns, those of the file first, with what was posted or else stored."""
    places = {column: (str(number), heading) for number, (column, heading) in enumerate(template.columns, 1)}
    rows = []
    for name, column in COLUMNS.items():
        place, heading = places.get(name, ("", ""))
        if post is not None:
            place, heading = post.get(f"place-{name}", ""), post.get(f"heading-{name}", "")
        rows.append(ColumnRow(name, column.title, place, heading))
    return sorted(rows, key=lambda row: parse_whole_number(row.place or "x", digits=3) or _LAST_PLACE)


def _sample(template: ExportTemplate, request: HttpRequest) -> dict[str, object]:
    """Return the first lines of the file of the user's last event; empty without an event."""
    events = Event.objects.filter(
        memberships__user=user_of(request), memberships__role=Role.DIRECTOR, is_rehearsal=False
    )
    event = events.order_by("-date", "-pk").first()
    export = event_export(event) if event else None
    if event is None or export is None:
        return {}
    written = write_template_file(template, export)
    return {"sample": first_lines(written), "sample_event": event, "notice": written.notice}


def _separator_titles() -> dict[str, str]:
    return {"semicolon": _("Semicolon ;"), "comma": _("Comma ,"), "tab": _("Tab"), "bar": _("Vertical bar |")}


def _choices(names: dict[str, str], titles: dict[str, str], chosen: str) -> list[tuple[str, str, bool]]:
    return [(name, titles[name], sign == chosen) for sign, name in names.items()]


def _key_of(names: dict[str, str], name: str) -> str:
    return next((sign for sign, known in names.items() if known == name), "")
