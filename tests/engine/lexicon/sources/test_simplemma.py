from __future__ import annotations

import lzma
from pathlib import Path

import pytest

from engine.lexicon.sources.simplemma import decode, read_lemmas
from tests.engine.lexicon.sources.small_italian import encode_lemmas

LEMMAS = {"cani": "cane", "canili": "canile", "canile": "canile", "è": "essere", "era": "essere", "vado": "andare"}


@pytest.mark.parametrize("backwards", [False, True])
def test_every_form_gets_its_lemma_back_from_the_stream(backwards: bool) -> None:
    assert decode(encode_lemmas(LEMMAS, backwards=backwards)) == LEMMAS


def test_lengths_beyond_seven_bits_are_read() -> None:
    long = {"a" * 300: "a" * 299 + "b"}
    assert decode(encode_lemmas(long)) == long


def test_a_stream_spelled_out_by_hand_is_read() -> None:
    # cane -> cane; cani shares three letters, and its lemma is the one before.
    assert decode(b"SMFC1\x00\x02" + b"\x00\x04cane" + b"\x00\x00" + b"\x03\x01i" + b"\xfe") == {
        "cane": "cane",
        "cani": "cane",
    }


def test_another_form_of_data_is_refused_with_a_sentence() -> None:
    with pytest.raises(ValueError, match="a form that this program does not know"):
        decode(b"SMFC2 something newer")


def test_the_table_of_a_language_is_found_in_the_package(tmp_path: Path) -> None:
    path = tmp_path / "strategies" / "dictionaries" / "data" / "it.plzma"
    path.parent.mkdir(parents=True)
    path.write_bytes(lzma.compress(encode_lemmas(LEMMAS)))
    assert read_lemmas(tmp_path, "it")["vado"] == "andare"
