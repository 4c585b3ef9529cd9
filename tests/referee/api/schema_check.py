"""Independent check of an answer against the OpenAPI document of the API: the parts of JSON Schema that occur in it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from typing import Any

KNOWN = {
    *("$ref", "anyOf", "const", "default", "description", "enum", "format", "items", "maximum", "minimum"),
    *("properties", "required", "title", "type"),
}
TYPES: dict[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "null": (type(None),),
}


def schema_of(document: dict[str, Any], path: str, status: int) -> dict[str, Any]:
    """The schema that the document declares for the answer of a path."""
    templates = {re.compile(re.sub(r"\{\w+\}", r"[^/]+", each) + "$"): each for each in document["paths"]}
    [declared] = [template for pattern, template in templates.items() if pattern.match(path)]
    answer = document["paths"][declared]["get"]["responses"][str(status)]
    return dict(answer["content"]["application/json"]["schema"])


def find_faults(document: dict[str, Any], schema: dict[str, Any], value: Any, at: str = "$") -> list[str]:
    """The places at which a value does not fit the schema. An object must have no field that is not declared."""
    return list(_faults(document, schema, value, at))


def _faults(document: dict[str, Any], schema: dict[str, Any], value: Any, at: str) -> Iterator[str]:
    assert set(schema) <= KNOWN, f"the check does not know {set(schema) - KNOWN}"
    if "$ref" in schema:
        yield from _faults(document, resolve(document, schema["$ref"]), value, at)
    elif "anyOf" in schema:
        if all(find_faults(document, each, value, at) for each in schema["anyOf"]):
            yield f"{at} fits no alternative"
    elif not _is_of_type(schema["type"], value):
        yield f"{at} is no {schema['type']}"
    elif schema["type"] == "object":
        yield from _faults_of_object(document, schema, value, at)
    elif schema["type"] == "array":
        for number, each in enumerate(value):
            yield from _faults(document, schema["items"], each, f"{at}[{number}]")
    else:
        yield from _faults_of_value(schema, value, at)


def _is_of_type(kind: str, value: Any) -> bool:
    return isinstance(value, TYPES[kind]) and not (isinstance(value, bool) and kind in ("integer", "number"))


def _faults_of_object(
    document: dict[str, Any], schema: dict[str, Any], value: dict[str, Any], at: str
) -> Iterator[str]:
    declared = schema["properties"]
    yield from (f"{at}.{name} is not declared" for name in value.keys() - declared.keys())
    yield from (f"{at}.{name} is missing" for name in set(schema.get("required", ())) - value.keys())
    for name in value.keys() & declared.keys():
        yield from _faults(document, declared[name], value[name], f"{at}.{name}")


def _faults_of_value(schema: dict[str, Any], value: Any, at: str) -> Iterator[str]:
    if "enum" in schema and value not in schema["enum"]:
        yield f"{at} is none of {schema['enum']}"
    if "minimum" in schema and value < schema["minimum"]:
        yield f"{at} is too small"
    if schema.get("format") == "date":
        date.fromisoformat(value)


def resolve(document: dict[str, Any], reference: str) -> dict[str, Any]:
    """The part of the document that a reference names."""
    found: Any = document
    for step in reference.removeprefix("#/").split("/"):
        found = found[step]
    return dict(found)


def references(part: Any) -> Iterator[str]:
    """All references in a part of the document."""
    if isinstance(part, dict):
        if "$ref" in part:
            yield part["$ref"]
        for each in part.values():
            yield from references(each)
    if isinstance(part, list):
        for each in part:
            yield from references(each)
