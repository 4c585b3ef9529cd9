"""The reference of the environment variables: .env.example, and the tables in docs/operating.md."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from pathlib import Path

from referee.environment.variables import GROUPS, VARIABLES, Group, Variable

ENV_EXAMPLE = Path(".env.example")
MANUAL = Path("docs") / "operating.md"
COMPOSE_VARIABLES = {
    "PUBLIC_NAME": "The host name that players open, such as game.example.org.",
    "POSTGRES_PASSWORD": "The password of the database, which is made with it.",
    "POSTGRES_VOLUME": "The volume of the database; another one after a restore.",
    "BACKUP_STORE": "The folder for backups, such as /mnt/backups; a volume of Docker if empty.",
}
"""Variables of compose.yaml that the program does not read."""
_BEGIN = "<!-- Written by `manage.py settings_reference --write` -->"
_END = "<!-- End of the written part -->"
_WIDTH = 100


def render_env_example() -> str:
    """Return .env.example: every variable with its description, commented out."""
    lines = [
        *_comment("Variables of Multiplo. Copy this file to .env and remove the # before those that you set."),
        *_comment("Written by manage.py settings_reference --write; docs/operating.md explains how to use it."),
    ]
    for group in GROUPS:
        lines += ["", f"## {group}"]
        for variable in _of_group(group):
            lines += ["", *_comment(_plain(variable.about)), *_comment(_form(variable)), _line(variable)]
    lines += ["", "## compose.yaml"]
    for name, about in COMPOSE_VARIABLES.items():
        lines += ["", *_comment(about), f"# {name}="]
    return "\n".join(lines) + "\n"


def render_tables() -> str:
    """Return the tables of the manual, one for each group."""
    parts = []
    for group in GROUPS:
        rows = [f"| {_names(each)} | {_default(each)} | {_meaning(each)} |" for each in _of_group(group)]
        parts.append("\n".join([f"**{group}**", "", "| variable | default | meaning |", "|---|---|---|", *rows]))
    return "\n\n".join(parts)


def replace_tables(manual: str) -> str:
    """Return the text of the manual with the tables of this program."""
    before, _begin, rest = manual.partition(_BEGIN)
    _old, _end, after = rest.partition(_END)
    return f"{before}{_BEGIN}\n\n{render_tables()}\n\n{_END}{after}"


def _of_group(group: Group) -> Iterator[Variable]:
    return (variable for variable in VARIABLES if variable.group == group)


def _names(variable: Variable) -> str:
    return f"`{variable.name}`" + (f"<br>`{variable.name}_FILE`" if variable.is_secret else "")


def _meaning(variable: Variable) -> str:
    return f"{variable.about} {_form(variable)}".strip()


def _form(variable: Variable) -> str:
    return f"Write {variable.kind.form}." if variable.kind.form else ""


def _default(variable: Variable) -> str:
    return variable.default_text or (f"`{_written(variable.default)}`" if _written(variable.default) else "none")


def _line(variable: Variable) -> str:
    return f"# {variable.name}={'' if variable.default_text else _written(variable.default)}"


def _written(value: object) -> str:
    """Return a value as it is written in the environment."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ",".join(value)
    return "" if value is None else str(value)


def _plain(markdown: str) -> str:
    return markdown.partition(" See [")[0].replace("`", "")


def _comment(text: str) -> list[str]:
    return textwrap.wrap(text, _WIDTH, initial_indent="# ", subsequent_indent="# ", break_on_hyphens=False)
