"""Numbers and dates as each language writes them, where people read; as machines want them, where machines do."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest
from django.template import Context, Template
from django.utils import translation

from referee.results.standings_table import ResultCell

DAY, PERCENT, TOTAL = date(2026, 4, 3), Decimal("87.5"), 12345
WRITTEN = {
    "en": ("3 April 2026", "3 Apr 2026", "87.5", "12,345"),
    "it": ("3 aprile 2026", "03/04/2026", "87,5", "12.345"),
    "ca": ("3 d'abril de 2026", "03/04/2026", "87,5", "12.345"),
    "fr": ("3 avril 2026", "03/04/2026", "87,5", "12\xa0345"),
    "es": ("3 de abril de 2026", "03/04/2026", "87,5", "12\xa0345"),
    "de": ("3. April 2026", "03.04.2026", "87,5", "12.345"),
    "ro": ("3 aprilie 2026", "03.04.2026", "87,5", "12.345"),
}
PAGE = Template('{{ day|date:"DATE_FORMAT" }}|{{ day|date:"SHORT_DATE_FORMAT" }}|{{ percent }}')


@pytest.mark.parametrize("language", sorted(WRITTEN))
def test_a_page_writes_days_and_numbers_as_its_language_does(language: str) -> None:
    with translation.override(language):
        shown = PAGE.render(Context({"day": DAY, "percent": PERCENT}, autoescape=False)).split("|")
        total = ResultCell(TOTAL, is_sum=True).text
    assert (*shown, total.replace("\u202f", "\xa0")) == WRITTEN[language]


@pytest.mark.parametrize("language", sorted(WRITTEN))
def test_tables_codes_and_files_never_get_thousands_parted(language: str) -> None:
    with translation.override(language):
        assert ResultCell(TOTAL).text == "12345"
        assert ResultCell(TOTAL, is_sum=True).plain == "12345"
        assert Template("<input value={{ n }} data-n={{ n }}>").render(Context({"n": TOTAL})).count("12345") == 2


def test_a_sum_of_four_digits_stays_together_and_a_loss_has_a_true_minus_sign() -> None:
    with translation.override("de"):
        assert ResultCell(9999, is_sum=True).text == "9999"
        assert ResultCell(-TOTAL, is_sum=True).text == "−12.345"
