"""Fast insertion of many rows into one table.

Django converts each value of each row separately, which takes most of the time when thousands of rows arrive.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from itertools import chain
from typing import Any

from django.db import connection, models

Row = tuple[Any, ...]
Converter = Callable[[Any], Any]
_ROWS_OF_A_STATEMENT = 500
_UNCONVERTED = (models.ForeignKey, models.IntegerField, models.CharField, models.BooleanField)


def insert_rows(model: type[models.Model], names: Sequence[str], rows: Sequence[Row]) -> None:
    """Store rows in this order; `names` are the columns' attributes (`turn_id`, not `turn`), all but the key.

    Values are of the type that the model has them in. ValueError when a column is left out or invented.
    """
    if not rows:
        return
    statement, places = _statement(model, tuple(names), connection.vendor), f"({', '.join(['%s'] * len(names))})"
    prepared = [(place, prepare) for place, prepare in enumerate(_list_converters(model, names)) if prepare is not None]
    values = [_convert_row(row, prepared) for row in rows]
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.executemany(f"{statement} {places}", values)
        else:  # PostgreSQL would parse, bind and execute each row by itself
            for start in range(0, len(values), _ROWS_OF_A_STATEMENT):
                some = values[start : start + _ROWS_OF_A_STATEMENT]
                cursor.execute(f"{statement} {', '.join([places] * len(some))}", list(chain.from_iterable(some)))


@cache
def _statement(model: type[models.Model], names: tuple[str, ...], vendor: str) -> str:
    columns = {field.attname: str(field.column) for field in model._meta.concrete_fields if not field.primary_key}
    if set(names) != set(columns):
        wrong = sorted(set(names) ^ set(columns))
        raise ValueError(f"{model.__name__}: the columns and the values differ in {', '.join(wrong)}")
    quote = connection.ops.quote_name
    listed = ", ".join(quote(columns[name]) for name in names)
    return f"INSERT INTO {quote(model._meta.db_table)} ({listed}) VALUES"


def _list_converters(model: type[models.Model], names: Sequence[str]) -> list[Converter | None]:
    fields = {field.attname: field for field in model._meta.concrete_fields}
    return [_get_converter(fields[name]) for name in names]


def _get_converter(field: models.Field[Any, Any]) -> Converter | None:
    """Get the function that converts values of this field for the database; None when no conversion is needed."""
    if isinstance(field, _UNCONVERTED):
        return None
    if isinstance(field, models.DateTimeField):
        return connection.ops.adapt_datetimefield_value
    if isinstance(field, models.JSONField):
        adapt, encoder = connection.ops.adapt_json_value, field.encoder
        return lambda value: adapt(value, encoder)
    if isinstance(field, models.UUIDField) and not connection.features.has_native_uuid_field:
        return lambda value: value.hex
    return lambda value: field.get_db_prep_save(value, connection)


def _convert_row(row: Row, prepares: Sequence[tuple[int, Converter]]) -> Sequence[Any]:
    values = list(row)
    for place, prepare in prepares:
        if values[place] is not None:
            values[place] = prepare(values[place])
    return values
