"""Files of a season's ranking: PDF for the notice board, CSV and XLSX for a spreadsheet."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404
from django.utils.text import slugify
from django.utils.translation import get_language, override
from django.views.decorators.http import require_safe

from referee.desk.access import general_page
from referee.desk.registry import Access
from referee.desk.results.printing import read_paper
from referee.pdf.drawing.letterhead import use_letterhead
from referee.pdf.sheets.season_ranking import season_ranking_pdf
from referee.results.files import FILES
from referee.results.season_table import ranking_csv, ranking_xlsx
from tournaments.documents.queries import LetterheadView
from tournaments.models import Club, Ranking
from tournaments.seasons.queries.rankings import RankingView, view_ranking


@dataclass(frozen=True, slots=True)
class RankingFile:
    """File type of a ranking: media type, and the writer, which takes the ranking, a language and a paper size."""

    media: str
    write: Callable[[RankingView, str, str], bytes]


@require_safe
@general_page("season-file", access=Access.ORGANISER)
def season_file(request: HttpRequest, season: int, ranking: int, file_format: str) -> HttpResponse:
    """Send a ranking as a file, in the language of the page or in the one that the address names."""
    written = RANKING_FILES.get(file_format)
    if written is None:
        raise Http404
    stored = get_object_or_404(Ranking.objects.select_related("season"), pk=ranking, season=season)
    content = written.write(view_ranking(stored), _language(request.GET), read_paper(request.GET))
    name = slugify(f"{stored.season.name} {stored.name}") or f"ranking-{stored.pk}"
    kind = "inline" if file_format == "pdf" else "attachment"
    headers = {"Content-Disposition": f'{kind}; filename="{name}.{file_format}"'}
    return HttpResponse(content, content_type=written.media, headers=headers)


def _language(fields: QueryDict) -> str:
    asked = fields.get("language", "")
    return asked if asked in dict(settings.LANGUAGES) else get_language() or settings.LANGUAGE_CODE


def _write_pdf(view: RankingView, language: str, paper: str) -> bytes:
    club = Club.objects.first() or Club()
    with use_letterhead(LetterheadView(logo=bytes(club.logo))):
        return season_ranking_pdf(view, club=club.name, language=language, paper=paper)


def _write_csv(view: RankingView, language: str, _paper: str) -> bytes:
    with override(language):
        return ranking_csv(view)


def _write_xlsx(view: RankingView, language: str, _paper: str) -> bytes:
    with override(language):
        return ranking_xlsx(view)


RANKING_FILES: Mapping[str, RankingFile] = {
    "pdf": RankingFile("application/pdf", _write_pdf),
    "csv": RankingFile(FILES["csv"].media, _write_csv),
    "xlsx": RankingFile(FILES["xlsx"].media, _write_xlsx),
}
"""Every file type by the name that the address has for it."""
