"""The desk of a room on its own server: it takes part in another hall's game, looks at its line, hands in by a file."""

from __future__ import annotations

from django import forms
from django.contrib import messages
from django.contrib.auth.models import User
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_GET, require_http_methods

from referee.desk.access import Desk, at_desk, for_organisers
from referee.outpost.line import Answered, NoAnswer, fetch
from tournaments import fed, lexicons
from tournaments.errors import Refused
from tournaments.feed_seal import Unopenable, unkept
from tournaments.now import utc_now
from tournaments.selectors.handing_in import hand_in_of
from tournaments.selectors.lines import line_view
from tournaments.services import outposts


class TakePartForm(forms.Form):
    """The link, and where there is no line the feed as a file."""

    link = forms.CharField(label=gettext_lazy("Secret link"), max_length=600)
    file = forms.FileField(label=gettext_lazy("Feed as a file, without a line"), required=False)
    lexicon = forms.ChoiceField(label=gettext_lazy("Word list, if theirs is not here"), required=False)

    def __init__(self, *arguments: object, **named: object) -> None:
        super().__init__(*arguments, **named)  # type: ignore[arg-type]
        names = sorted({entry.name for entry in lexicons.installed()})
        field = self.fields["lexicon"]
        assert isinstance(field, forms.ChoiceField)  # noqa: S101  declared above
        field.choices = [("", _("theirs, else the one of the edition")), *((name, name) for name in names)]


@sensitive_post_parameters("link")
@require_http_methods(["GET", "POST"])
@for_organisers
def take_part(request: HttpRequest) -> HttpResponse:
    """An event of ours that follows the game of another hall."""
    form = TakePartForm(request.POST, request.FILES) if request.method == "POST" else TakePartForm()
    if form.is_valid():
        user = request.user
        assert isinstance(user, User)  # noqa: S101  for_organisers let nobody else pass
        given = form.cleaned_data
        try:
            link, file = outposts.read_link(given["link"]), given["file"]
            answered = _from_file(file) if file else fetch(link)
            game = outposts.take_part(
                link=link,
                text=answered.text or "",
                etag=answered.etag,
                by=user,
                now=utc_now(),
                lexicon=given["lexicon"] or None,
                heard=not file,
            )
        except (Refused, NoAnswer) as refused:
            form.add_error(None, refused.sentence)
        else:
            return redirect("desk:players", game.event.code)
    return render(request, "desk/outpost.html", {"form": form}, status=422 if form.is_bound else 200)


@sensitive_post_parameters("link")
@require_http_methods(["GET", "POST"])
@at_desk
def line(request: HttpRequest, desk: Desk) -> HttpResponse:
    """The line to the drawing room; a POST ends here, or goes on with its next game."""
    if desk.game.feed_id is None:
        return redirect("desk:console", desk.code)
    if request.method == "POST":
        try:
            if request.POST.get("act") == "next":
                _next_game(desk)
            elif request.POST.get("act") == "link":
                outposts.paste_link(game=desk.game, link=request.POST.get("link", ""), by=desk.user, now=utc_now())
            elif request.POST.get("act") == "end":
                outposts.end_here(game=desk.game, by=desk.user, now=utc_now())
        except (Refused, NoAnswer) as refused:
            messages.error(request, refused.sentence)
        return redirect("desk:line", desk.code)
    context = {"event": desk.event, "line": line_view(desk.game), "page": "line", "game": desk.game}
    return render(request, "desk/line.html", context)


@require_GET
@at_desk
def hand_in_file(request: HttpRequest, desk: Desk) -> HttpResponse:
    """What is handed in, to be brought to the drawing room on a stick."""
    if desk.game.feed_id is None:
        return redirect("desk:console", desk.code)
    name = f"hand-in-{desk.event.code}-{desk.game.number}.json"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(hand_in_of(desk.game), content_type="application/json; charset=utf-8", headers=headers)


def _next_game(desk: Desk) -> None:
    try:
        answered = fetch(unkept(fed.line_of(desk.game).link))
    except Unopenable:
        raise Refused(_("The secret link was kept on another computer: paste it again on the page “Line”.")) from None
    outposts.follow_next_game(event=desk.event, text=answered.text or "", by=desk.user, now=utc_now())


def _from_file(file: UploadedFile[bytes]) -> Answered:
    if (file.size or 0) > outposts.LARGEST_FEED:
        raise Refused(_("This feed is too large to be one."))
    return Answered(file.read().decode("utf-8", "replace"), "")
