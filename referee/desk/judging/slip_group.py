"""Page of a group of slips in the review queue: the board, the rule, the players and their notation, the decisions."""

from __future__ import annotations

import json
from http import HTTPStatus

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from referee.desk.access import desk_page
from referee.desk.desk import Desk
from referee.security.permissions import JUDGES
from tournaments.judging.queries.judging_queue import JudgingQueue, JudgingTurn, QueueItem, get_judging_turn
from tournaments.judging.queries.reviews import version_of
from tournaments.judging.queries.slip_group import BLANK, SlipBoard, group_detail
from tournaments.judging.queries.slip_groups import SlipGroup
from tournaments.now import utc_now
from tournaments.players.queries.players import names_by_table


@desk_page("group", get=JUDGES, spoiler=True)
def group(request: HttpRequest, desk: Desk, key: str) -> HttpResponse:
    """Show a group of slips: as a part for the desk, else as a page. `?only=board` omits the decisions.

    A desk may ask for a group while a colleague places the move; it gets nothing then.
    """
    view = get_judging_turn(desk.game, desk.room, utc_now())
    question = find_group(view.queue, key) if view is not None else None
    detail = group_detail(view.turn, desk.room, question.first.key) if view is not None and question else None
    if view is None or question is None or detail is None:
        if getattr(request, "htmx", False):
            return HttpResponse(status=HTTPStatus.NO_CONTENT)
        raise Http404
    context = {
        "event": desk.event,
        "view": view,
        "question": question,
        "group": question.first,
        "board": detail.board,
        "asked_json": _asked_json(detail.board) if detail.board else "",
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
    view = _require_judging_turn(desk)
    names = {} if view.anonymous else names_by_table(desk.event)
    context = {"event": desk.event, "view": view, "names": names, "page": "console"}
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


def _asked_json(board: SlipBoard) -> str:
    """Return the marked squares as [row, column, face, marks] for static/common/board.js."""
    marked = [
        [one.row, one.col, one.face.lower() if BLANK in one.marks else one.face, " ".join(one.marks)]
        for one in board.squares
    ]
    return json.dumps(marked)
