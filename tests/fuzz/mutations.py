"""Random hostile values derived from one seed: texts, numbers, JSON, form fields and damaged files."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

NUMBERS = (
    "0", "1", "2", "-1", "007", "1.5", "1e999", "NaN", "Infinity", "-0", "٣", "²", "Ⅷ", "1_000", "0x10", " 7 ", "+7",
    "2147483648", "9223372036854775808", "18446744073709551616", "9" * 19, "9" * 400, "9" * 4500,
)  # fmt: skip
DATES = (
    "2026-02-30", "2026-13-01", "2026-02-30T25:61", "0000-00-00", "9999-12-31T23:59:59+14:00", "0001-01-01T00:00-14:00",
    "2026-11-23T07:45", "2026-11-23", "2026-W01-1", "２０２６-11-23", "2026-11-23T07:45:00.000000+00:00", "T", "24:00",
)  # fmt: skip
TEXTS = (
    "", " ", "\0", "a\0b", "\r\n", "\x1b[2J", "\u202e", "\u200b", "\ufeff", "＝1+1", "=1+1", "@SUM(A1)", "\t=1",
    "'", '"', "<script>alert(1)</script>", "{{ settings }}", "%s%(x)s%", "{0}{x}", "../../etc/passwd", "..",
    "/", "//evil.example", "\\", "foo", "CORNO", "coRno", "8H", "H8", "8D", "12 8D CORNO 22", "*", "?", ".*",
    "[", "((((", "Ω" * 50, "😀", "ﬃ", "İ", "e\u0301" * 30, "x" * 300, "x" * 10_000, "null", "true", "[]", "{}",
    "yes", "1.all", "1.team", "0.0.0", "it", "it-box",
)  # fmt: skip
LONE_SURROGATE = "a\udc80\ud800b"
JSON_TEXTS = (
    "[" * 5_000, "[" * 100_000, '{"a":' * 50_000, '{"t":"ping","c":1e400}', "1" * 5_000,
    '{"t":"ping","c":' + "9" * 4_500 + "}", '{"id":"\\ud800"}', '{"a":1,"a":2}', "NaN", "-Infinity", "nul", '"',
    "", "{}", "[]", "null", "0", "\ufeff{}", '{"t":null}',
)  # fmt: skip


class Mutator(Random):
    """Random source of one step; the same seed and step give the same values."""

    def often(self, share: float) -> bool:
        """Return True in this share of all calls."""
        return self.random() < share

    def text(self) -> str:
        """Return a text for a form field, a cell or an address."""
        kind = self.random()
        if kind < 0.3:
            return self.choice(NUMBERS)
        if kind < 0.4:
            return self.choice(DATES)
        if kind < 0.9:
            return self.choice(TEXTS)
        return "".join(
            chr(self.choice((self.randrange(128), self.randrange(0xD800)))) for _ in range(self.randrange(40))
        )

    def changed_text(self, text: str) -> str:
        """Return a known text with a small change, or another one."""
        if not text or self.often(0.5):
            return self.text()
        at = self.randrange(len(text))
        change = self.choice((text[:at], text[at:], text[:at] + self.text()[:20] + text[at:], text * 3, text[::-1]))
        return change[:70_000]

    def value(self, depth: int = 3) -> Any:
        """Return a JSON value."""
        kind = self.randrange(9 if depth else 7)
        if kind == 7:
            return [self.value(depth - 1) for _ in range(self.randrange(4))]
        if kind == 8:
            return {self.text()[:30]: self.value(depth - 1) for _ in range(self.randrange(4))}
        numbers = (0, 1, -1, 7, 2**31, 2**63, 10**400, 1e308, 0.5, float("nan"), float("-inf"))
        return (None, True, False, self.text(), LONE_SURROGATE, self.choice(numbers), self.randrange(-5, 400))[kind]

    def changed_value(self, value: Any) -> Any:
        """Return a JSON value with one part, at any depth, missing, duplicated or replaced."""
        if isinstance(value, dict) and value and self.often(0.9):
            name = self.choice(list(value))
            rest = {key: part for key, part in value.items() if key != name}
            return rest if self.often(0.1) else {**rest, name: self.changed_value(value[name])}
        if isinstance(value, list) and value and self.often(0.9):
            at = self.randrange(len(value))
            fresh = self.choice(([], [value[at]] * 2, [self.changed_value(value[at])], [self.changed_value(value[at])]))
            return [*value[:at], *fresh, *value[at + 1 :]]
        if self.often(0.25):
            return self.value()
        if isinstance(value, bool):
            return not value
        if isinstance(value, int):
            return self.choice((0, 1, -1, 7, value + 1, value * 10, 999_999_999))
        return self.changed_text(value) if isinstance(value, str) else self.value()

    def json_text(self, value: Any) -> str:
        """Return the JSON text of a value with one to three changes, rarely invalid JSON."""
        if self.often(0.1):
            return self.choice(JSON_TEXTS)
        for _ in range(self.randrange(4)):
            value = self.changed_value(value)
        return json.dumps(value, ensure_ascii=self.often(0.5))

    def changed_bytes(self, content: bytes) -> bytes:
        """Return a file with wrong, missing, duplicated or additional bytes."""
        for _ in range(self.randrange(1, 4)):
            at = self.randrange(len(content) + 1)
            end = min(len(content), at + self.choice((1, 1, 4, 100, 5_000)))
            fresh = self.choice((b"", self.randbytes(end - at), content[at:end] * 2, self.text().encode(), b"\0" * 50))
            content = content[:at] + fresh + content[end:]
        return content

    def changed_text_file(self, content: bytes) -> bytes:
        """Return a text file with one line or character changed, or in another encoding."""
        text = content.decode("utf-8", "replace")
        if self.often(0.2):
            return self.choice((text.encode("utf-16"), text.encode("utf-7"), text.encode("utf-32"), b"", b"\0" * 5_000))
        lines = text.split("\n")
        at = self.randrange(len(lines))
        lines[at] = self.changed_text(lines[at])
        return "\n".join(lines).encode("utf-8", "surrogatepass")

    def changed_zip(self, content: bytes, change: Callable[[bytes], bytes]) -> bytes:
        """Return a zip with one part changed, missing, duplicated or renamed; rarely with damaged bytes."""
        if self.often(0.3):
            return self.changed_bytes(content)
        with zipfile.ZipFile(io.BytesIO(content)) as packed:
            parts = [(name, packed.read(name)) for name in packed.namelist()]
        at = self.randrange(len(parts))
        name, part = parts[at]
        fresh: Sequence[Sequence[tuple[str, bytes]]] = (
            [(name, change(part))],
            [(name, change(part))],
            [(name, self.changed_bytes(part) if part else b"")],
            [],
            [(self.text()[:100].replace("\0", "") or "x", part)],
            [(name, part), (f"{name}2", part)],
        )
        written = io.BytesIO()
        with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as packed:
            for each, bytes_ in [*parts[:at], *self.choice(fresh), *parts[at + 1 :]]:
                packed.writestr(each.encode("utf-8", "replace").decode(), bytes_)
        return written.getvalue()
