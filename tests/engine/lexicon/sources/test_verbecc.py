from __future__ import annotations

from pathlib import Path

from engine.lexicon.sources.verbecc import Conjugation, read_conjugations


def test_a_verb_follows_its_template_and_a_verb_of_another_ending_is_left_out(small_packages: Path) -> None:
    verbs = {verb.infinitive: verb for verb in read_conjugations(small_packages / "verbecc", "it")}
    assert verbs["ninnare"] == Conjugation("ninnare", "lav:are", ("ninno", "ninnerroneous"))
    assert {"locupletare", "scegliere"} <= set(verbs)
    assert "accanirsi" not in verbs
