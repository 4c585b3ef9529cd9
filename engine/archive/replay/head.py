"""The head of an archive: tile set, notation, word list, commitments, players."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from itertools import chain

from engine.archive.replay.facts import Facts, read_seed, read_word
from engine.archive.replay.findings import Findings
from engine.archive.schema import tile_set, word_list_sha256, word_texts
from engine.draw.reproducible import SEED_BYTES, commitment
from engine.lexicon.graph import Lexicon
from engine.tiles.edition import Edition


def check_head(facts: Facts, findings: Findings) -> None:
    """Everything that is said once for the whole game."""
    _check_tile_set(facts, findings)
    findings.compare("across", facts.archive["across"], facts.profile.notation.value)
    by_variant = facts.variant.apply_to(facts.profile).switches()
    for switch in ("rack_size", "bonuses"):
        findings.compare(f"profile, {switch}", facts.profile.switches()[switch], by_variant[switch])
    unnamed = facts.variant.unnamed_bonuses(facts.profile)
    stored, wanted = facts.profile.switches()["bonuses"], "points for each number of tiles that a move may lay"
    findings.require("profile, bonuses", not unnamed, stored, wanted)
    _check_lexicon(facts, findings)
    _check_seeds(facts, findings)
    tables = Counter(player["table"] for player in facts.archive["players"])
    for table, times in tables.items():
        findings.compare(f"players, table {table}", times, 1)


def _check_tile_set(facts: Facts, findings: Findings) -> None:
    """Letters that exist by blank only may be listed with the count 0."""
    stored = {face: entry for face, entry in facts.archive["tile_set"].items() if entry["count"] != 0}
    derived = tile_set(facts.edition)
    for face in dict.fromkeys(chain(derived, stored)):
        findings.compare(f"tile_set, {face}", stored.get(face), derived.get(face))


def _check_lexicon(facts: Facts, findings: Findings) -> None:
    entry = facts.archive["lexicon"]
    words, checksum = _count_and_checksum(facts.edition, facts.base_lexicon)
    findings.compare("lexicon, words", entry["words"], words)
    findings.compare("lexicon, sha256", entry["sha256"], checksum)
    if "parts" in entry:
        stored = sorted((part["sha256"], part["words"]) for part in entry["parts"])
        counted = (word_list_sha256(word_texts(facts.edition, part.words())) for part in facts.lists)
        findings.compare("lexicon, parts", stored, sorted((checksum, words) for words, checksum in counted))
    for kind, rulings in (("accepted", entry["accepted"]), ("struck", entry["struck"])):
        for ruling in rulings:
            readable = read_word(facts.edition, ruling["word"]) is not None
            findings.require(f"lexicon, {kind}", readable, ruling["word"], "a word that the tiles can show")


@lru_cache(maxsize=2)
def _count_and_checksum(edition: Edition, lexicon: Lexicon) -> tuple[int, str]:
    """Counted once for all rooms of an event: the texts of a whole word list take seconds."""
    return word_list_sha256(word_texts(edition, lexicon.words()))


def _check_seeds(facts: Facts, findings: Findings) -> None:
    """Each seed fits the commitment that was shown before its first rack; the turns that they draw follow each other.

    A seed that is still secret proves nothing yet: the last one of a game that is going on. All others are public.
    """
    if facts.archive["draw"]["mode"] == "typed" and not any(draw["seed"] for draw in facts.draws):
        return
    # A room that follows must not know what the drawing room has seen long ago.
    hidden = "rooms" in facts.archive and facts.archive["end"] is None and facts.draws[0]["seed"] is None
    for number, draw in enumerate(facts.draws):
        where = "draw" if not number else f"draw, continued {number}"
        if (
            draw["seed"] is not None
            or facts.archive["end"] is not None
            or (number < len(facts.draws) - 1 and not hidden)
        ):
            seed = read_seed(draw["seed"])
            whole = seed is not None and len(seed) == SEED_BYTES
            if findings.require(f"{where}, seed", whole, draw["seed"], f"{SEED_BYTES} bytes in hex") and seed:
                findings.compare(f"{where}, commitment", draw["commitment"], commitment(seed))
    starts = [draw["from_turn"] for draw in facts.draws]
    in_order = starts == sorted(starts) and starts[-1] <= len(facts.turns) + 1
    findings.require("draw, continued", in_order, starts, "turns in their order")
