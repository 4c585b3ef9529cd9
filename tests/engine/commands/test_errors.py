"""Bad input is refused by one of a few errors, and all of them are `ValueError`."""

from __future__ import annotations

import importlib
import inspect
import pkgutil

import engine

REFUSALS = {
    "engine.archive.schema.ArchiveError",
    "engine.board.board.BoardError",
    "engine.play.clock.ClockError",
    "engine.commands.json_lines.LineError",
    "engine.board.coordinates.UnreadableReference",
    "engine.draw.reproducible.RackBreaksRule",
    "engine.draw.reproducible.TypedRackError",
    "engine.tiles.edition.UnknownLetter",
    "engine.tiles.edition_file.EditionError",
    "engine.interchange.eliot_file.EliotError",
    "engine.variants.variant.VariantError",
    "engine.archive.json_shape.FormatError",
    "engine.archive.json_shape.MissingField",
    "engine.archive.json_shape.WrongValue",
    "engine.canonical_json.NotCanonical",
    "engine.lexicon.graph.LexiconError",
    "engine.prepared.prepare_game.NotPreparableError",
    "engine.rules.profile.ProfileError",
    "engine.seasons.ranking_rule.RuleError",
    "engine.simultaneous.package.WrongCode",
    "engine.simultaneous.rejudging.OtherGame",
    "engine.simultaneous.sealing.SealBroken",
    "engine.slips.typed_line.UnreadableLine",
    "engine.prepared.script.ScriptError",
    "engine.tiles.tiles.MissingTilesError",
}
NOT_ABOUT_INPUT = {"engine.lexicon.sources.packages.SourcesUnavailableError"}
"""No input was bad: what a word list is built from could not be fetched."""


def _errors() -> dict[str, type[BaseException]]:
    """Every error that a module of the engine defines."""
    found = {}
    for module_info in pkgutil.walk_packages(engine.__path__, "engine."):
        if not module_info.name.endswith("__main__"):
            for _, defined in inspect.getmembers(importlib.import_module(module_info.name), inspect.isclass):
                if issubclass(defined, BaseException) and defined.__module__.startswith("engine"):
                    found[f"{defined.__module__}.{defined.__name__}"] = defined
    return found


def test_the_errors_of_the_engine_are_these_few() -> None:
    assert set(_errors()) == REFUSALS | NOT_ABOUT_INPUT


def test_every_refusal_of_input_is_a_value_error() -> None:
    others = {name for name, error in _errors().items() if not issubclass(error, ValueError)}
    assert others == NOT_ABOUT_INPUT


def test_every_error_says_what_it_is_for() -> None:
    assert all(inspect.getdoc(error) for error in _errors().values())
