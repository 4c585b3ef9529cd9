"""The head of an archive: tile set, notation, word list, commitment, players, and the ledger at its end."""

from __future__ import annotations

from collections import Counter
from itertools import chain

from engine.archive import tile_set, word_list_sha256, word_texts
from engine.draw import SEED_BYTES, commitment
from engine.ledger import first_bad_link, head
from engine.replay.facts import Facts, read_word
from engine.replay.findings import Findings


def check_head(facts: Facts, findings: Findings) -> None:
    """Everything that is said once for the whole game."""
    _check_tile_set(facts, findings)
    findings.compare("across", facts.archive["across"], facts.profile.notation.value)
    by_formula = facts.formula.applied_to(facts.profile).switches()
    for switch in ("rack_size", "bonuses"):
        findings.compare(f"profile, {switch}", facts.profile.switches()[switch], by_formula[switch])
    _check_lexicon(facts, findings)
    _check_seed(facts, findings)
    tables = Counter(player["table"] for player in facts.archive["players"])
    for table, times in tables.items():
        findings.compare(f"players, table {table}", times, 1)


def check_ledger(facts: Facts, findings: Findings) -> None:
    """The chain of hashes; only the first bad link is named, since all after it hang on it."""
    ledger = facts.archive["ledger"]
    entries = [dict(entry) for entry in ledger["entries"]]
    bad = first_bad_link(entries)
    findings.demand(f"ledger, entry {bad}", bad is None, "its hash or number", "the chain breaks here")
    findings.compare("ledger, head", ledger["head"], head(entries))


def _check_tile_set(facts: Facts, findings: Findings) -> None:
    """Letters that exist by blank only may be listed with the count 0."""
    stored = {face: entry for face, entry in facts.archive["tile_set"].items() if entry["count"] != 0}
    derived = tile_set(facts.edition)
    for face in dict.fromkeys(chain(derived, stored)):
        findings.compare(f"tile_set, {face}", stored.get(face), derived.get(face))


def _check_lexicon(facts: Facts, findings: Findings) -> None:
    entry = facts.archive["lexicon"]
    words, checksum = word_list_sha256(word_texts(facts.edition, facts.base_lexicon.words()))
    findings.compare("lexicon, words", entry["words"], words)
    findings.compare("lexicon, sha256", entry["sha256"], checksum)
    for kind, rulings in (("accepted", entry["accepted"]), ("struck", entry["struck"])):
        for ruling in rulings:
            readable = read_word(facts.edition, ruling["word"]) is not None
            findings.demand(f"lexicon, {kind}", readable, ruling["word"], "a word that the tiles can show")


def _check_seed(facts: Facts, findings: Findings) -> None:
    """A seed that is still secret proves nothing yet; once the game is over it must be there and fit."""
    entry = facts.archive["draw"]
    if entry["mode"] == "typed" and not entry["seed"]:
        return
    if entry["seed"] is None and facts.archive["end"] is None:
        return
    whole = facts.seed is not None and len(facts.seed) == SEED_BYTES
    if findings.demand("draw, seed", whole, entry["seed"], f"{SEED_BYTES} bytes in hex") and facts.seed:
        findings.compare("draw, commitment", entry["commitment"], commitment(facts.seed))
