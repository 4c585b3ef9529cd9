"""Page of a group of slips in the review queue: the board, the rule, the players and their notation, the decisions."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from engine.board.premiums import Premium
from referee.desk.access import desk_page
from referee.desk.desk import Desk
from referee.pdf.drawing.premium_signs import premium_sign
from referee.security.permissions import JUDGES
from tournaments.judging.queries.judging_queue import JudgingQueue, JudgingTurn, QueueItem, get_judging_turn
from tournaments.judging.queries.reviews import version_of
from tournaments.judging.queries.slip_group import BoardSquare, SlipBoard, group_detail
from tournaments.judging.queries.slip_groups import SlipGroup
from tournaments.now import utc_now

_PREMIUM_CLASSES = {Premium(2, 1): "dl", Premium(3, 1): "tl", Premium(1, 2): "dw", Premium(1, 3): "tw"}


@dataclass(frozen=True, slots=True)
class Cell:
    """A square of the board for the template."""

    face: str
    sign: str
    classes: str


@desk_page("group", get=JUDGES, spoiler=True)
def group(request: HttpRequest, desk: Desk, key: str) -> HttpResponse:
    """Show a group of slips: as a part for the desk, else as a page. `?only=board` omits the decisions."""
    view = _require_judging_turn(desk)
    question = find_group(view.queue, key)
    detail = group_detail(view.turn, desk.room, question.first.key) if question is not None else None
    if question is None or detail is None:
        raise Http404
    context = {
        "event": desk.event,
        "view": view,
        "question": question,
        "group": question.first,
        "board": detail.board,
        "board_rows": _rows(detail.board) if detail.board else [],
        "rule": detail.rule,
        "only_board": request.GET.get("only") == "board",
        "page": "console",
    }
    return render(
        request,
        "desk/judging/_group_detail.html" if getattr(request, "htmx", False) else "desk/judging/group.html",
        context,
    )


@desk_page("clear-groups", get=JUDGES, spoiler=True)
def clear_groups(request: HttpRequest, desk: Desk) -> HttpResponse:
    """Show the groups without any doubt, for a desk that does not list them because they are many."""
    context = {"event": desk.event, "view": _require_judging_turn(desk), "page": "console"}
    template = (
        "desk/judging/_clear_groups.html" if getattr(request, "htmx", False) else "desk/judging/clear_groups.html"
    )
    return render(request, template, context)


def _require_judging_turn(desk: Desk) -> JudgingTurn:
    turn = get_judging_turn(desk.game, desk.room, utc_now())
    if turn is None:
        raise Http404
    return turn


def find_group(queue: JudgingQueue, key: str) -> QueueItem | None:
    """Return the question with this key, or the clear group as a question of its own."""
    for question in (*queue.open, *queue.looked_at):
        if question.key == key:
            return question
    return next((_wrap_clear_group(group) for group in queue.clear if group.key == key), None)


def _wrap_clear_group(group: SlipGroup) -> QueueItem:
    return QueueItem(group.key, [group], version_of([group.version]))


def _rows(board: SlipBoard) -> list[tuple[str, list[Cell]]]:
    return [
        (label, [_cell(square, row, col) for col, square in enumerate(squares)])
        for row, (label, squares) in enumerate(board.rows)
    ]


def _cell(square: BoardSquare, row: int, col: int) -> Cell:
    classes = ["tile" if square.face else _PREMIUM_CLASSES.get(square.premium, ""), *square.marks]
    sign = "" if square.face else premium_sign(square.premium, row, col)
    return Cell(square.face, sign, " ".join(filter(None, classes)))
