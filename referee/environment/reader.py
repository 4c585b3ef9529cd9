"""Reader of the environment variables; every wrong one becomes a sentence with its remedy."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any

import environ
from django.core.exceptions import ImproperlyConfigured

from referee import program_files
from referee.environment.variables import VARIABLES, Environment, Variable

_REMEDY = (
    "install “multiplo[federation]” in place of “multiplo”, with the same program"
    if program_files.IS_INSTALLED
    else "run pip install -r requirements-federation.txt in the environment of this program"
)


class EnvironmentFault(ImproperlyConfigured):
    """Wrong environment variables. `sentences` has one for each: its name, its value and the remedy."""

    def __init__(self, sentences: list[str]) -> None:
        super().__init__("\n".join(sentences))
        self.sentences = tuple(sentences)


def read_environment(variables: Mapping[str, str]) -> Environment:
    """Read all variables. Raises EnvironmentFault with a sentence for each wrong one."""
    present = environ.fileaware_mapping.FileAwareMapping(env=dict(variables))
    values: dict[str, Any] = {}
    faults: list[str] = []
    for variable in VARIABLES:
        try:
            values[variable.attribute] = _read(variable, present)
        except _WrongValue as fault:
            faults.append(str(fault))
        else:
            faults += _missing_packages(variable, values[variable.attribute])
    if values.get("email_url") and values.get("email_from") == "":
        faults.append("EMAIL_FROM is empty: write the address from which the club sends, such as club@example.org.")
    if faults:
        raise EnvironmentFault(faults)
    return Environment(**values)


class _WrongValue(Exception):
    """The sentence on a wrong value."""


def _read(variable: Variable, present: Any) -> Any:
    """Return the parsed value; the default if it is empty. Values of secret variables stay out of the sentences."""
    name = variable.name
    try:
        text = str(present.get(name, "")).strip()
    except OSError as error:
        file = present.env[f"{name}_FILE"]
        raise _WrongValue(
            f"{name}_FILE is “{file}”, which cannot be read ({error.strerror}): name another file."
        ) from error
    except UnicodeDecodeError as error:
        file = present.env[f"{name}_FILE"]
        raise _WrongValue(f"{name}_FILE is “{file}”, which is not a text file: save it as UTF-8.") from error
    if not text:
        return variable.default
    try:
        return variable.kind.parse(text)
    except ValueError:
        value = "not valid" if variable.is_secret else f"“{text}”"
        raise _WrongValue(f"{name} is {value}: write {variable.kind.form}.") from None


def _missing_packages(variable: Variable, value: Any) -> Iterator[str]:
    """Yield a sentence for each package that a set variable needs and that cannot be imported."""
    for package in variable.needs if value else ():
        try:
            import_module(package)
        except ImportError:
            yield f"{variable.name} needs the Python package {package}, which is not installed: {_REMEDY}."
