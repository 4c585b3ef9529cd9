"""The ratings of all members, and the page that explains them."""

from __future__ import annotations

from django.conf import settings
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.gzip import gzip_page

from engine.bounded_input import parse_whole_number
from engine.ratings.form import USUAL_GAMES
from engine.ratings.open_rating import DEVIATION, FEWEST_GAMES, LIBRARY, MEAN, SHOWN_START, SHOWN_UNIT, VERSION
from referee.desk.access import general_page
from referee.desk.registry import Access
from referee.desk.results.game_choice import Tab
from tournaments.ratings.queries.ratings import list_ratings
from tournaments.ratings.services.refresh import refresh_ratings

LAST_GAMES = (10, USUAL_GAMES, 50)
LINES_A_PAGE = 100


@general_page("ratings", access=Access.ORGANISER)
@gzip_page
def ratings(request: HttpRequest) -> HttpResponse:
    """List the members with form and open rating; `games` is the number of last games, `all` shows who stopped too."""
    refresh_ratings()
    games, everybody = read_last_games(request.GET.get("games", "")), "all" in request.GET
    lines = Paginator(list_ratings(games=games, active_only=not everybody), LINES_A_PAGE)
    context = {
        "lines": lines.get_page(request.GET.get("page")),
        "games": games,
        "everybody": everybody,
        "tabs": [_tab(number, games, everybody=everybody) for number in LAST_GAMES],
        "fewest": FEWEST_GAMES,
        "page": "ratings",
    }
    return render(request, "desk/ratings/ratings.html", context)


@general_page("ratings-explained", access=Access.ORGANISER)
def explanation(request: HttpRequest) -> HttpResponse:
    """Explain both ratings, their version, and the way to compute them again."""
    context = {
        "version": VERSION,
        "library": LIBRARY,
        "games": USUAL_GAMES,
        "fewest": FEWEST_GAMES,
        "start": SHOWN_START,
        "unit": SHOWN_UNIT,
        "mean": int(MEAN),
        "deviation": DEVIATION,
        "command": settings.COMMAND,
        "page": "ratings",
    }
    return render(request, "desk/ratings/explained.html", context)


def read_last_games(text: str) -> int:
    """Return the number of last games that an address names; the usual one for anything else."""
    number = parse_whole_number(text.strip(), digits=3)
    return number if number in LAST_GAMES else USUAL_GAMES


def _tab(number: int, chosen: int, *, everybody: bool) -> Tab:
    title = ngettext("Last %(n)s game", "Last %(n)s games", number) % {"n": number}
    return Tab(title, f"?games={number}{'&all=1' if everybody else ''}", number == chosen)


def last_games_choices(chosen: int) -> list[tuple[int, str, bool]]:
    """Return the numbers of last games with their labels, and whether each is chosen."""
    return [(number, _("the last %(n)d games") % {"n": number}, number == chosen) for number in LAST_GAMES]
