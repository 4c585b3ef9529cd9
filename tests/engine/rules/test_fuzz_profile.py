"""Whatever text is given as the file of a profile: it is one, or a `ProfileError` says what is wrong."""

from __future__ import annotations

import contextlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.rules.profile import PROFILES, Profile, ProfileError, load_profile, profile_codes, read_profile
from engine.rules.switches import SWITCHES
from tests.examples import examples

_quick = examples(250)
LINES = (PROFILES / "it-box.toml").read_text(encoding="utf-8").splitlines()
anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
switch_names = st.sampled_from(list(SWITCHES))
odd_lines = st.one_of(
    st.text(max_size=30),
    st.sampled_from(["[switches]", "[rules]", "switches = 3", "rules = []", "floor = 3", "clock_s = {}", "title = 7"]),
    st.builds(
        "{} = {{ value = {}, source = {} }}".format, st.sampled_from(list(SWITCHES)), *[st.integers().map(str)] * 2
    ),
    st.builds('{} = {{ value = {}, source = "us" }}'.format, st.sampled_from(list(SWITCHES)), st.text(max_size=8)),
)


def _profile_or_told(text: str) -> Profile | str:
    try:
        return read_profile("xx", text)
    except ProfileError as error:
        return str(error)


def _is_a_sentence(told: object) -> bool:
    return isinstance(told, str) and told.endswith((".", "?"))


@_quick
@given(st.text(max_size=80) | st.lists(odd_lines, max_size=6).map("\n".join))
def test_any_text_is_refused_with_a_sentence(text: str) -> None:
    assert _is_a_sentence(_profile_or_told(text))


@_quick
@given(data=st.data())
def test_a_profile_with_odd_lines_is_a_whole_profile_or_refused(data: st.DataObject) -> None:
    lines = list(LINES)
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(lines) - 1))
        lines[at : at + data.draw(st.integers(0, 1))] = data.draw(st.lists(odd_lines, max_size=1))
    profile = _profile_or_told("\n".join(lines))
    if isinstance(profile, str):
        assert _is_a_sentence(profile)
    else:
        assert Profile.from_switches(profile.switches()) == profile
        assert all(isinstance(source, str) and source for source in profile.sources.values())


@_quick
@given(st.sampled_from(list(SWITCHES)) | st.text(max_size=12), anything)
def test_any_value_of_a_switch_is_kept_or_refused(switch: str, value: Any) -> None:
    switches = load_profile("club").switches() | {switch: value}
    with contextlib.suppress(ProfileError):
        profile = Profile.from_switches(switches)
        assert Profile.from_switches(profile.switches()) == profile


@pytest.mark.parametrize(
    "text",
    [
        "switches = 3",
        "switches = []",
        "rules = 3\n[switches]",
        f"x = {'9' * 5000}",
        f"x = {'[' * 5000}",
        "[switches]\nclock_s = { value = 0x" + "F" * 5000 + ', source = "us" }',
    ],
    ids=["a number", "a list", "rules", "long number", "deep", "long hexadecimal number"],
)
def test_toml_of_another_shape_is_refused(text: str) -> None:
    assert _is_a_sentence(_profile_or_told(text))


def test_a_hexadecimal_number_of_any_length_is_refused_for_its_size() -> None:
    text = "\n".join(LINES).replace("clock_s = { value = 180", "clock_s = { value = 0x" + "F" * 5000, 1)
    with pytest.raises(
        ProfileError, match="clock_s of the profile xx must be a whole number from 1 to 36000, not that"
    ):
        read_profile("xx", text)


@pytest.mark.parametrize("code", profile_codes())
def test_the_profiles_of_the_program_are_none_of_those(code: str) -> None:
    assert load_profile(code).name == code
