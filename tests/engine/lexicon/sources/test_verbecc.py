from __future__ import annotations

from pathlib import Path

from engine.lexicon.sources.verbecc import Conjugation, read_conjugations


def test_a_verb_follows_its_template_and_a_verb_of_another_ending_is_left_out(small_packages: Path) -> None:
    assert list(read_conjugations(small_packages / "verbecc", "it")) == [
        Conjugation("locupletare", "lav:are", ("locupleto", "locupleterroneous")),
        Conjugation("ninnare", "lav:are", ("ninno", "ninnerroneous")),
    ]
