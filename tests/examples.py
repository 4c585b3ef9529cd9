"""The number of examples of a property test, and the parameters of which one stands for the others.

The default run tries a few examples, always the same; `--endurance` tries many random ones. tests/conftest.py loads the
profile. A test without settings of its own takes the profile as it is.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

import pytest
from _pytest.mark import ParameterSet
from hypothesis import HealthCheck, settings

_SLOW_MACHINE: Final = (HealthCheck.too_slow, HealthCheck.data_too_large)
_SHARED_FIXTURE: Final = (HealthCheck.function_scoped_fixture, HealthCheck.differing_executors)
_USUAL: Final = 100
_FEWEST: Final = 3

settings.register_profile(
    "quick",
    max_examples=10,
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=[*_SLOW_MACHINE, *_SHARED_FIXTURE],
)
settings.register_profile(
    "endurance",
    max_examples=100,
    derandomize=False,
    database=None,
    deadline=None,
    print_blob=True,
    suppress_health_check=[*_SLOW_MACHINE, *_SHARED_FIXTURE],
)


def examples(count: int) -> settings:
    """Settings for a test whose examples cost more or less than usual: `count` where others try 100."""
    chosen = settings()
    scaled = round(count * chosen.max_examples / _USUAL)
    return settings(chosen, max_examples=max(scaled, min(count, _FEWEST)))


def representative(cases: Iterable[Any], *, of: int = 1) -> list[Any]:
    """The first `of` cases for the default run; the others are for `--endurance`."""
    listed = list(cases)
    return [*listed[:of], *(_endurance(case) for case in listed[of:])]


def one_in(every: int, cases: Iterable[Any]) -> list[Any]:
    """The first case and every so many after it for the default run; the others are for `--endurance`."""
    return [_endurance(case) if number % every else case for number, case in enumerate(cases)]


def _endurance(case: Any) -> Any:
    if isinstance(case, ParameterSet):
        return case._replace(marks=[*case.marks, pytest.mark.endurance])
    is_line = isinstance(case, tuple) and not hasattr(case, "_fields")
    return pytest.param(*(case if is_line else (case,)), marks=pytest.mark.endurance)
