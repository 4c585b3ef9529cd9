"""The walk: all plays that are grown from one anchor.

From the anchor a word is grown to the left, letter by letter, down the GADDAG; wherever a separator leads on, the
word has its beginning, and it is grown to the right, down the DAWG. Both directions keep their steps on a stack
of frames (`layout.Frame`) instead of calling themselves, because that is several times faster::

    . . . . C A S . . .       anchor: the S, the last tile of a run
          <------             1. read the run from the anchor to its start: S, A, C
        <                     2. left frames: a tile on the square before it (stop short of the anchor before)
                >  >          3. behind a separator, right frames: tiles behind the anchor, sliding over other runs

`limit` is the last square that belongs to the anchor before this one: words that reach so far are grown from there,
so each play is found once. The tiles that may be tried on a square are one intersection of sets: letters that the graph
goes on with, letters that the crossing lane allows, letters in the hand; a blank may be any of the first two.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.coords import SIZE
from engine.edition import LETTER_MASK
from engine.lexicon.compiling import inlined, int64, lowest_bit, natural
from engine.lexicon.nodes import AT_GADDAG, LETTERS, NOWHERE, SEPARATOR, Graph, child, ends
from engine.search.cross_checks import Lane
from engine.search.layout import BLANKS, EMPTY, PLACE_SHIFT, TILE_BITS, Frame, Search, Square


@inlined
def walk_anchor(graph: Graph, search: Search, anchor: int, limit: int, plays: NDArray[np.int64]) -> None:
    """Harvest the plays of `search.lane` that are grown from `anchor` and stay behind `limit`."""
    squares, frames = search.lanes[search.lane], search.left
    _start(graph, search, squares, anchor, frames[0])
    frame = frames[0]
    frame.pending = _to_the_left(graph, search, squares, frame.hand, frame.node, frame.first - 1, limit, 0)
    behind = child(graph, frame.node, SEPARATOR)
    right = _to_the_right(graph, search, squares, frame.hand, behind, anchor + 1, 0)
    if right:
        _grow_right(graph, search, squares, frame, behind, anchor + 1, right, plays)
    depth = 0
    while depth >= 0:
        frame = frames[natural(depth)]
        if frame.pending == 0:
            # All tiles were tried here: back to the frame before, whose tile returns to the hand.
            depth -= 1
            if depth >= 0:
                search.counts[min(frames[natural(depth)].tried, BLANKS)] += 1
            continue
        code = lowest_bit(frame.pending)
        frame.pending &= frame.pending - 1
        frame.tried = code
        # Where does this tile, laid before the word, lead: to a whole word, further left, to a beginning?
        laid, square = frame.laid + 1, frame.first - 1
        node = child(graph, frame.node, code & LETTER_MASK)
        behind = child(graph, node, SEPARATOR) if laid < search.most else int64(NOWHERE)
        whole = ends(graph, frame.node, code & LETTER_MASK)
        hand = _hand_without(search, frame.hand, code)
        left = _to_the_left(graph, search, squares, hand, node, square - 1, limit, laid)
        right = _to_the_right(graph, search, squares, hand, behind, anchor + 1, laid)
        if whole or left or right:
            # Only now is it worth while to count points.
            following = frames[natural(depth + 1)]
            _lay(search, squares[natural(square)], code, frame, following)
            following.node, following.first, following.hand, following.pending = node, square, hand, left
            following.tiles = (frame.tiles << TILE_BITS) | (code + 1)
            if whole:
                _harvest(search, squares[natural(square)], following, square, plays)
            search.counts[min(code, BLANKS)] -= 1
            if right:
                _grow_right(graph, search, squares, following, behind, anchor + 1, right, plays)
            if left:
                depth += 1
            else:
                search.counts[min(code, BLANKS)] += 1


@inlined
def _start(graph: Graph, search: Search, squares: Lane, anchor: int, frame: Frame) -> None:
    """The first frame: the run that ends at the anchor is read, or nothing when the anchor is empty."""
    node = int64(graph[AT_GADDAG])
    first = anchor + 1
    points, factor = int64(0), int64(1)
    while squares[first - 1].tile != EMPTY:
        first -= 1
        node = child(graph, node, squares[first].tile & LETTER_MASK)
        points += squares[first].worth
        factor *= squares[first].word_factor
    frame.node, frame.first, frame.points = node, first, points
    frame.hand, frame.laid, frame.tiles = search.hand, 0, 0
    frame.word_factor, frame.cross_points = factor, 0


@inlined
def _grow_right(
    graph: Graph,
    search: Search,
    squares: Lane,
    begun: Frame,
    node: int,
    square: int,
    pending: int,
    plays: NDArray[np.int64],
) -> None:
    """Harvest the plays whose part up to the anchor is `begun`: lay tiles from `square` on, depth first.

    `node`: the node behind the separator; `pending`: the tiles to be tried on `square`.
    """
    frames = search.right
    frame = frames[0]
    frame.node, frame.square, frame.hand, frame.pending = node, square, begun.hand, pending
    frame.laid, frame.tiles = begun.laid, begun.tiles
    frame.points, frame.word_factor, frame.cross_points = begun.points, begun.word_factor, begun.cross_points
    depth = 0
    while depth >= 0:
        frame = frames[natural(depth)]
        if frame.pending == 0:
            depth -= 1
            if depth >= 0:
                search.counts[min(frames[natural(depth)].tried, BLANKS)] += 1
            continue
        code = lowest_bit(frame.pending)
        frame.pending &= frame.pending - 1
        frame.tried = code
        node = child(graph, frame.node, code & LETTER_MASK)
        whole = ends(graph, frame.node, code & LETTER_MASK)
        # Slide over the tiles that lie behind, to the next empty square.
        square = frame.square + 1
        met, factor = int64(0), int64(1)
        while squares[natural(square)].tile != EMPTY:
            tile = squares[natural(square)].tile
            met += squares[natural(square)].worth
            factor *= squares[natural(square)].word_factor
            whole = ends(graph, node, tile & LETTER_MASK)
            node = child(graph, node, tile & LETTER_MASK)
            square += 1
        hand = _hand_without(search, frame.hand, code)
        pending = _to_the_right(graph, search, squares, hand, node, square, frame.laid + 1)
        if whole or pending:
            following = frames[natural(depth + 1)]
            _lay(search, squares[natural(frame.square)], code, frame, following)
            following.node, following.square, following.hand, following.pending = node, square, hand, pending
            following.points += met
            following.word_factor *= factor
            following.tiles = frame.tiles | ((code + 1) << (TILE_BITS * frame.laid))
            if whole:
                _harvest(search, squares[natural(frame.square)], following, begun.first, plays)
            if pending:
                search.counts[min(code, BLANKS)] -= 1
                depth += 1


@inlined
def _to_the_left(
    graph: Graph, search: Search, squares: Lane, hand: int, node: int, square: int, limit: int, laid: int
) -> int:
    """The tiles to be tried on `square`, before a word of which `laid` tiles were laid; none if there is no use.

    The last tile of the hand must complete a word.
    """
    if square <= limit or laid == search.most:
        return int64(0)
    reached = int64(graph[natural(node + 1)])
    if laid + 1 < search.most:
        reached |= int64(graph[natural(node)])
    return _to_try(hand, reached & squares[natural(square)].cross_check)


@inlined
def _to_the_right(graph: Graph, search: Search, squares: Lane, hand: int, node: int, square: int, laid: int) -> int:
    """The tiles to be tried on `square`, behind a word of which `laid` tiles were laid.

    The last tile must complete a word, unless it meets tiles that lie already.
    """
    if laid == search.most:
        return int64(0)
    reached = int64(graph[natural(node + 1)])
    if laid + 1 < search.most or squares[natural(square + 1)].tile != EMPTY:
        reached |= int64(graph[natural(node)])
    return _to_try(hand, reached & squares[natural(square)].cross_check)


@inlined
def _to_try(hand: int, letters: int) -> int:
    """The tiles in hand that can show one of these letters, as a set of tiles."""
    letters &= LETTERS
    return (letters & hand) | ((letters << BLANKS) * (hand >> BLANKS))


@inlined
def _hand_without(search: Search, hand: int, code: int) -> int:
    """What is in the hand when the tile being tried is taken out of it."""
    kind = min(code, BLANKS)
    return hand ^ (int64(search.counts[kind] == 1) << kind)


@inlined
def _lay(search: Search, square: Square, code: int, frame: Frame, following: Frame) -> None:
    """Count the points of one more tile, laid on `square`."""
    worth = search.values[code] * square.letter_factor
    following.points = frame.points + worth
    following.word_factor = frame.word_factor * square.word_factor
    following.cross_points = frame.cross_points + (worth + square.cross_score) * square.cross_factor
    following.laid = frame.laid + 1


@inlined
def _harvest(search: Search, last: Square, frame: Frame, first: int, plays: NDArray[np.int64]) -> None:
    """Note the play of this frame; the word begins on square `first`.

    `last`: the square of the tile laid last. A single tile that forms words both ways is given as across only.
    """
    if frame.laid == 1 and search.lane >= SIZE and last.cross_factor:
        return
    if search.found < len(plays):
        play = plays[natural(search.found)]
        place = search.lane * SIZE + first - 1
        play[0] = (place << PLACE_SHIFT) | frame.tiles
        play[1] = frame.points * frame.word_factor + frame.cross_points + search.bonuses[frame.laid]
    search.found += 1
