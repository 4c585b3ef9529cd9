"""A question of the queue opened: the board with the slip on it, the rule quoted, who wrote it how, what to decide."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from engine.premiums import Premium
from referee.desk.access import Desk, at_desk
from referee.premium_signs import premium_sign
from tournaments.now import utc_now
from tournaments.selectors.group_detail import BoardShown, SquareShown, group_detail
from tournaments.selectors.groups import Group
from tournaments.selectors.judging_queue import Question, Queue, TurnInJudgement, turn_in_judgement
from tournaments.selectors.looks import version_of

_PREMIUM_CLASSES = {Premium(2, 1): "dl", Premium(3, 1): "tl", Premium(1, 2): "dw", Premium(1, 3): "tw"}


@dataclass(frozen=True, slots=True)
class Cell:
    """A square of the board as the template writes it."""

    face: str
    sign: str
    classes: str


@require_GET
@at_desk
def group(request: HttpRequest, desk: Desk, key: str) -> HttpResponse:
    """A question, or a clear group by its own key: for the card on the desk, else as a page of its own. `?only=board`
    leaves out what may be decided."""
    view = _in_judgement(desk)
    question = find(view.queue, key)
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
    return render(request, "desk/_group_detail.html" if getattr(request, "htmx", False) else "desk/group.html", context)


@require_GET
@at_desk
def clear_groups(request: HttpRequest, desk: Desk) -> HttpResponse:
    """The groups in which nothing is in doubt, for a desk where they are too many to stand there from the start."""
    context = {"event": desk.event, "view": _in_judgement(desk), "page": "console"}
    template = "desk/_clear_groups.html" if getattr(request, "htmx", False) else "desk/clear_groups.html"
    return render(request, template, context)


def _in_judgement(desk: Desk) -> TurnInJudgement:
    found = turn_in_judgement(desk.game, desk.room, utc_now())
    if found is None:
        raise Http404
    return found


def find(queue: Queue, key: str) -> Question | None:
    """The question with this key, or the clear group as one of its own."""
    for question in (*queue.open, *queue.looked_at):
        if question.key == key:
            return question
    return next((_alone(group) for group in queue.clear if group.key == key), None)


def _alone(group: Group) -> Question:
    return Question(group.key, [group], version_of([group.version]))


def _rows(board: BoardShown) -> list[tuple[str, list[Cell]]]:
    return [
        (label, [_cell(square, row, col) for col, square in enumerate(squares)])
        for row, (label, squares) in enumerate(board.rows)
    ]


def _cell(square: SquareShown, row: int, col: int) -> Cell:
    classes = ["tile" if square.face else _PREMIUM_CLASSES.get(square.premium, ""), *square.marks]
    sign = "" if square.face else premium_sign(square.premium, row, col)
    return Cell(square.face, sign, " ".join(filter(None, classes)))
