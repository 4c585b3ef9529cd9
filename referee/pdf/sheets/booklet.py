"""Booklet of a simultaneous game: the results, then every turn with its best moves, how many found them, a comment."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, override
from reportlab.lib.units import mm

from engine.board.board import Board
from engine.prepared.script import ScriptTurn, edition_of, profile_of, variant_of
from engine.rules.rules_text import clock_text
from engine.simultaneous.ranking import CommonRanking, TurnCount
from referee.formats.texts import format_date, format_decimal, format_sum
from referee.pdf.drawing import fonts, heads
from referee.pdf.drawing.board import EDGES, draw_board_at
from referee.pdf.drawing.sheet import INK, MARGIN, QUIET, Column, Sheet
from referee.results.standings_table import rank_text
from tournaments.lexicons.names import edition_name, rules_name, variant_name
from tournaments.models import Simultaneous
from tournaments.simultaneous.queries.published import BookletGame

SQUARE = 8.8  # side of a square of the small boards, in points
BESIDE = 8 * mm  # between board and text
COMMENT, LEADING = 9.5, 1.3  # size of a comment, and height of a line in sizes
MOST_BESIDE = 1.5  # heights of a board to which a text beside it may grow
NO_BREAK = "\u00a0"
MOST_PEOPLE, MOST_TOPS, MOST_OTHERS = 50, 4, 5


@dataclass(frozen=True, slots=True)
class TextLine:
    """Line of text beside a board, with the space above it."""

    text: str
    font: str
    size: float
    above: float = 0.0
    quiet: bool = False


def booklet_pdf(
    simultaneous: Simultaneous,
    ranking: CommonRanking,
    games: Sequence[BookletGame],
    *,
    language: str,
    paper: str = "a4",
) -> bytes:
    """Draw the booklet: results on the first pages, then each game turn by turn."""
    with override(language):
        first, last = (localtime(at).date() for at in (simultaneous.opens_at, simultaneous.closes_at))
        days = format_date(first) if first == last else f"{format_date(first)} – {format_date(last)}"
        sheet = Sheet(simultaneous.title, days, [], paper=paper)
        _results(sheet, ranking, games)
        for game in games:
            _game(sheet, game, simultaneous.title, days, many=len(games) > 1)
        return sheet.finish()


def _results(sheet: Sheet, ranking: CommonRanking, games: Sequence[BookletGame]) -> None:
    sheet.canvas.bookmark(_("Results"))
    sheet.figures(
        [
            (_("Clubs"), str(len(ranking["clubs"]))),
            (_("Players"), str(len(ranking["people"]))),
            (_("Turns"), str(sum(len(game.script["turns"]) for game in games))),
            (_("Sum of the tops"), format_sum(sum(turn["top"] for game in games for turn in game.script["turns"]))),
        ]
    )
    clubs = {line["club"]: line["name"] for line in ranking["clubs"]}
    people = ranking["people"][:MOST_PEOPLE]
    if len(people) < len(ranking["people"]):
        sheet.heading(_("The first %(number)d players") % {"number": len(people)})
    else:
        sheet.heading(_("Overall ranking"))
    sheet.table(
        [
            Column(_("Rank"), 7),
            Column(_("Name"), 32, "left", bold=True),
            Column(_("Club"), 27, "left"),
            Column(_("Total"), 10, bold=True),
            Column(_("Negative"), 11),
            Column(_("Percent"), 10),
            Column(_("Tops"), 7),
        ],
        [
            [
                rank_text(line["rank"]),
                line["name"],
                clubs.get(line["club"], ""),
                format_sum(line["total"]),
                format_sum(line["negative"]),
                format_decimal(line["percent"]),
                str(line["tops"]),
            ]
            for line in people
        ],
    )
    sheet.gap(4 * mm)
    sheet.heading(_("Clubs by the average percent of their players"))
    sheet.table(
        [
            Column(_("Rank"), 8),
            Column(_("Club"), 56, "left", bold=True),
            Column(_("Players"), 14),
            Column(_("Average percent"), 22, bold=True),
        ],
        [
            [str(line["rank"]), line["name"], str(line["players"]), format_decimal(line["percent"], 2)]
            for line in ranking["clubs"]
        ],
    )


def _game(sheet: Sheet, game: BookletGame, simultaneous: str, days: str, *, many: bool) -> None:
    """Draw a game on pages of its own."""
    script = game.script
    rules, variant = profile_of(script), variant_of(script)
    title = _("Game %(number)d") % {"number": game.number} if many else script["title"]
    facts = [
        _("Edition: %(edition)s · Rules: %(rules)s")
        % {"edition": edition_name(edition_of(script)), "rules": rules_name(rules, variant)},
        _("Variant: %(variant)s, %(time)s a turn")
        % {"variant": variant_name(variant), "time": clock_text(script["rhythm_s"])},
        heads.word_list_line(script["lexicon"]["name"], script["lexicon"]["words"]),
    ]
    sheet.part(title, f"{simultaneous} · {script['title'] if many else days}", facts, numbered_on=True)
    sheet.canvas.bookmark(title)
    total = 0
    for turn, count in zip(script["turns"], game.counts, strict=True):
        total += turn["top"]
        _turn(sheet, game, turn, count, total)
    if seed := script["draw"]["seed"]:
        sheet.gap(3 * mm)
        sheet.paragraph(_("Seed of the draw: %(seed)s") % {"seed": seed}, size=7.5, colour=QUIET)
        sheet.paragraph(
            _("Fingerprint of the draw: %(commitment)s") % {"commitment": script["draw"]["commitment"]},
            size=7.5,
            colour=QUIET,
        )


def _turn(sheet: Sheet, game: BookletGame, turn: ScriptTurn, count: TurnCount, total: int) -> None:
    """Draw the board before the turn, and beside it rack, best moves and comment."""
    edition, rules = edition_of(game.script), profile_of(game.script)
    board, side = Board.parse(edition, turn["board"]), SQUARE * EDGES
    left, room = MARGIN + side + BESIDE, sheet.room - side - BESIDE
    lines = _wrapped(_turn_lines(turn, count, total), room)
    text = game.comments.get(turn["number"], "")
    comment = fonts.wrap_text(text, fonts.REGULAR, COMMENT, room) if text else []
    beside = [TextLine(part, fonts.REGULAR, COMMENT, 0 if at else 5) for at, part in enumerate(comment)]
    if _height(lines) + _height(beside) <= MOST_BESIDE * side:
        lines, text = lines + beside, ""
    height = max(side, _height(lines))
    if not sheet.need(height + 4 * mm + (3 * COMMENT if text else 0)):
        sheet.line(MARGIN, sheet.y, sheet.room, thick=0.4, colour=QUIET)
        sheet.y -= 3 * mm
    top = y = sheet.y
    spoken = _("Board before turn %(turn)d") % {"turn": turn["number"]}
    for line in lines:
        y -= line.above + line.size * LEADING
        with sheet.canvas.tagged("P"):
            sheet.text(left, y + line.size * 0.3, line.text, line.font, line.size, QUIET if line.quiet else INK)
    draw_board_at(sheet, board, rules.notation, MARGIN, SQUARE, spoken=spoken)
    sheet.y = top - height
    if text:
        sheet.gap(2 * mm)
        sheet.paragraph(text, size=COMMENT)
    sheet.gap(3 * mm)


def _height(lines: Sequence[TextLine]) -> float:
    return sum(line.above + line.size * LEADING for line in lines)


def _turn_lines(turn: ScriptTurn, count: TurnCount, total: int) -> list[TextLine]:
    number = _("Turn %(turn)d") % {"turn": turn["number"]}
    lines = [
        TextLine(number, fonts.BOLD, 10, quiet=True),
        TextLine(turn["rack"], fonts.BOLD, 19, 2),
    ]
    counts = count["moves"]
    for at, top in enumerate(turn["tops"][:MOST_TOPS]):
        text = f"{top['word']} {top['ref']} {top['score']}"
        found = ngettext("%(n)d player", "%(n)d players", counts.get(text, 0)) % {"n": counts.get(text, 0)}
        lines.append(TextLine(f"{text}  ({found})", fonts.BOLD, 12 if not at else 10.5, 5 if not at else 1))
    more = len(turn["tops"]) - MOST_TOPS
    if more > 0:
        lines.append(
            TextLine(ngettext("and %(n)d more top", "and %(n)d more tops", more) % {"n": more}, fonts.REGULAR, 9)
        )
    lines.append(TextLine(_found_text(count), fonts.REGULAR, 9.5, 3))
    others = _others(turn, counts)
    if others:
        lines.append(TextLine(_("Also played: %(moves)s") % {"moves": others}, fonts.REGULAR, 9.5, 3))
    master = turn["master"]
    if master and master["score"] != turn["top"]:
        placed = f"{master['word']} {master['ref']} {master['score']}"
        lines.append(TextLine(_("On the board: %(move)s") % {"move": placed}, fonts.REGULAR, 9.5, 3))
    lines.append(
        TextLine(_("Total of the tops: %(total)s") % {"total": format_sum(total)}, fonts.REGULAR, 9, 3, quiet=True)
    )
    return lines


def _found_text(count: TurnCount) -> str:
    """Return how many players found the top."""
    if not count["players"]:
        return _("Nobody has returned this turn.")
    share = format_decimal(100 * count["found"] / count["players"])
    return _("The top was found by %(found)d of %(players)d players (%(share)s %%).") % {
        "found": count["found"],
        "players": count["players"],
        "share": share,
    }


def _others(turn: ScriptTurn, counts: dict[str, int]) -> str:
    """Return the best other moves that players wrote, each with the number of players."""
    tops = {f"{top['word']} {top['ref']} {top['score']}" for top in turn["tops"]}
    others = [move for move in counts if move not in tops]
    others.sort(key=lambda move: (-int(move.rsplit(" ", 1)[1]), -counts[move], move))
    return ", ".join(f"{move} ({counts[move]})".replace(" ", NO_BREAK) for move in others[:MOST_OTHERS])


def _wrapped(lines: Sequence[TextLine], room: float) -> list[TextLine]:
    """Wrap each text into lines that fit beside the board."""
    return [
        TextLine(text, line.font, line.size, 0 if at else line.above, line.quiet)
        for line in lines
        for at, text in enumerate(fonts.wrap_text(line.text, line.font, line.size, room))
    ]
