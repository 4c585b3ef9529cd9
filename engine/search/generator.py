"""Move generator: all plays from one anchor.

From the anchor a word is extended to the left, letter by letter, in the GADDAG. Where a node has a separator, the
beginning of the word is complete, and it is extended to the right in the DAWG. Both directions use a stack of frames
(`layout.Frame`) instead of recursion, which is several times faster::

    . . . . C A S . . .       anchor: the S, the last tile of a run
          <------             1. read the run from the anchor to its start: S, A, C
        <                     2. left frames: a tile on the square before it (stop before the previous anchor)
                >  >          3. after a separator, right frames: tiles after the anchor, skipping other runs

`limit` is the last square that belongs to the previous anchor: words that reach it are generated from that anchor, so
each play is found once. The tiles to try on a square are the intersection of three sets: letters with an edge in the
graph, letters that the cross-check allows, and letters on the rack. A blank may be any letter of the first two.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.board.coordinates import SIZE
from engine.lexicon.jit import inlined, int64, lowest_bit, uint64
from engine.lexicon.nodes import AT_GADDAG, LETTERS, NO_NODE, SEPARATOR, Graph, child, is_word_end
from engine.search.cross_checks import Line
from engine.search.layout import BLANKS, EMPTY, PLACE_SHIFT, TILE_BITS, Frame, Search, Square
from engine.tiles.edition import LETTER_MASK


@inlined
def find_anchor_plays(graph: Graph, search: Search, anchor: int, limit: int, plays: NDArray[np.int64]) -> None:
    """Write the plays of `search.line` that belong to `anchor` and begin after `limit` into `plays`."""
    squares, frames = search.lines[search.line], search.left
    _start(graph, search, squares, anchor, frames[0])
    frame = frames[0]
    frame.pending = _candidates_left(graph, search, squares, frame.rack_letters, frame.node, frame.first - 1, limit, 0)
    behind = child(graph, frame.node, SEPARATOR)
    right = _candidates_right(graph, search, squares, frame.rack_letters, behind, anchor + 1, 0)
    if right:
        _grow_right(graph, search, squares, frame, behind, anchor + 1, right, plays)
    depth = 0
    while depth >= 0:
        frame = frames[uint64(depth)]
        if frame.pending == 0:
            # All tiles were tried here; return to the previous frame, whose tile goes back to the rack.
            depth -= 1
            if depth >= 0:
                search.counts[min(frames[uint64(depth)].tried, BLANKS)] += 1
            continue
        code = lowest_bit(frame.pending)
        frame.pending &= frame.pending - 1
        frame.tried = code
        # This tile may complete a word, allow more tiles to the left, or complete the beginning of a word.
        laid, square = frame.laid + 1, frame.first - 1
        node = child(graph, frame.node, code & LETTER_MASK)
        behind = child(graph, node, SEPARATOR) if laid < search.most else int64(NO_NODE)
        whole = is_word_end(graph, frame.node, code & LETTER_MASK)
        rack_letters = _rack_without(search, frame.rack_letters, code)
        left = _candidates_left(graph, search, squares, rack_letters, node, square - 1, limit, laid)
        right = _candidates_right(graph, search, squares, rack_letters, behind, anchor + 1, laid)
        if whole or left or right:
            # Points are counted only here, because most tiles lead nowhere.
            following = frames[uint64(depth + 1)]
            _lay(search, squares[uint64(square)], code, frame, following)
            following.node, following.first, following.rack_letters, following.pending = (
                node,
                square,
                rack_letters,
                left,
            )
            following.tiles = (frame.tiles << TILE_BITS) | (code + 1)
            if whole:
                _add_play(search, squares[uint64(square)], following, square, plays)
            search.counts[min(code, BLANKS)] -= 1
            if right:
                _grow_right(graph, search, squares, following, behind, anchor + 1, right, plays)
            if left:
                depth += 1
            else:
                search.counts[min(code, BLANKS)] += 1


@inlined
def _start(graph: Graph, search: Search, squares: Line, anchor: int, frame: Frame) -> None:
    """Fill the first frame with the run that ends at the anchor, or with no letters if the anchor is empty."""
    node = int64(graph[AT_GADDAG])
    first = anchor + 1
    points, factor = int64(0), int64(1)
    while squares[first - 1].tile != EMPTY:
        first -= 1
        node = child(graph, node, squares[first].tile & LETTER_MASK)
        points += squares[first].value
        factor *= squares[first].word_factor
    frame.node, frame.first, frame.points = node, first, points
    frame.rack_letters, frame.laid, frame.tiles = search.rack_letters, 0, 0
    frame.word_factor, frame.cross_points = factor, 0


@inlined
def _grow_right(
    graph: Graph,
    search: Search,
    squares: Line,
    begun: Frame,
    node: int,
    square: int,
    pending: int,
    plays: NDArray[np.int64],
) -> None:
    """Write the plays whose part up to the anchor is `begun`: lay tiles from `square` on, depth first.

    `node`: the node after the separator; `pending`: the tiles to try on `square`.
    """
    frames = search.right
    frame = frames[0]
    frame.node, frame.square, frame.rack_letters, frame.pending = node, square, begun.rack_letters, pending
    frame.laid, frame.tiles = begun.laid, begun.tiles
    frame.points, frame.word_factor, frame.cross_points = begun.points, begun.word_factor, begun.cross_points
    depth = 0
    while depth >= 0:
        frame = frames[uint64(depth)]
        if frame.pending == 0:
            depth -= 1
            if depth >= 0:
                search.counts[min(frames[uint64(depth)].tried, BLANKS)] += 1
            continue
        code = lowest_bit(frame.pending)
        frame.pending &= frame.pending - 1
        frame.tried = code
        node = child(graph, frame.node, code & LETTER_MASK)
        whole = is_word_end(graph, frame.node, code & LETTER_MASK)
        # Skip the board tiles up to the next empty square.
        square = frame.square + 1
        met, factor = int64(0), int64(1)
        while squares[uint64(square)].tile != EMPTY:
            tile = squares[uint64(square)].tile
            met += squares[uint64(square)].value
            factor *= squares[uint64(square)].word_factor
            whole = is_word_end(graph, node, tile & LETTER_MASK)
            node = child(graph, node, tile & LETTER_MASK)
            square += 1
        rack_letters = _rack_without(search, frame.rack_letters, code)
        pending = _candidates_right(graph, search, squares, rack_letters, node, square, frame.laid + 1)
        if whole or pending:
            following = frames[uint64(depth + 1)]
            _lay(search, squares[uint64(frame.square)], code, frame, following)
            following.node, following.square, following.rack_letters, following.pending = (
                node,
                square,
                rack_letters,
                pending,
            )
            following.points += met
            following.word_factor *= factor
            following.tiles = frame.tiles | ((code + 1) << (TILE_BITS * frame.laid))
            if whole:
                _add_play(search, squares[uint64(frame.square)], following, begun.first, plays)
            if pending:
                search.counts[min(code, BLANKS)] -= 1
                depth += 1


@inlined
def _candidates_left(
    graph: Graph, search: Search, squares: Line, rack_letters: int, node: int, square: int, limit: int, laid: int
) -> int:
    """Give the tiles to try on `square`, before a word of which `laid` tiles were laid; none if no play can follow.

    The last tile that a play may lay must complete a word.
    """
    if square <= limit or laid == search.most:
        return int64(0)
    reached = int64(graph[uint64(node + 1)])
    if laid + 1 < search.most:
        reached |= int64(graph[uint64(node)])
    return _candidate_tiles(rack_letters, reached & squares[uint64(square)].cross_check)


@inlined
def _candidates_right(
    graph: Graph, search: Search, squares: Line, rack_letters: int, node: int, square: int, laid: int
) -> int:
    """Give the tiles to try on `square`, after a word of which `laid` tiles were laid.

    The last tile must complete a word, unless a board tile follows it.
    """
    if laid == search.most:
        return int64(0)
    reached = int64(graph[uint64(node + 1)])
    if laid + 1 < search.most or squares[uint64(square + 1)].tile != EMPTY:
        reached |= int64(graph[uint64(node)])
    return _candidate_tiles(rack_letters, reached & squares[uint64(square)].cross_check)


@inlined
def _candidate_tiles(rack_letters: int, letters: int) -> int:
    """Give the tiles on the rack that can show one of these letters, as a set of tiles."""
    letters &= LETTERS
    return (letters & rack_letters) | ((letters << BLANKS) * (rack_letters >> BLANKS))


@inlined
def _rack_without(search: Search, rack_letters: int, code: int) -> int:
    """Give the set of letters on the rack without the tile being tried."""
    kind = min(code, BLANKS)
    return rack_letters ^ (int64(search.counts[kind] == 1) << kind)


@inlined
def _lay(search: Search, square: Square, code: int, frame: Frame, following: Frame) -> None:
    """Add the points of one more tile, laid on `square`."""
    value = search.values[code] * square.letter_factor
    following.points = frame.points + value
    following.word_factor = frame.word_factor * square.word_factor
    following.cross_points = frame.cross_points + (value + square.cross_score) * square.cross_factor
    following.laid = frame.laid + 1


@inlined
def _add_play(search: Search, last: Square, frame: Frame, first: int, plays: NDArray[np.int64]) -> None:
    """Add the play of this frame; the word begins on square `first`.

    `last`: square of the tile laid last. A single tile that forms words in both directions is listed as across only.
    """
    if frame.laid == 1 and search.line >= SIZE and last.cross_factor:
        return
    if search.found < len(plays):
        play = plays[uint64(search.found)]
        place = search.line * SIZE + first - 1
        play[0] = (place << PLACE_SHIFT) | frame.tiles
        play[1] = frame.points * frame.word_factor + frame.cross_points + search.bonuses[frame.laid]
    search.found += 1
