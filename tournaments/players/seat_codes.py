"""Seat codes: eight characters on a card, required from a phone that joins a table when the event asks for them.

The 40 bits are derived from the installation's secret key, the player and the number of codes issued for the table. No
code is stored, so a leaked database reveals none.
"""

from __future__ import annotations

from django.utils.crypto import constant_time_compare, salted_hmac

from tournaments.models import Player

CODE_CHARACTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"  # Crockford's: no I, L, O, U
CODE_LENGTH = 8
_READ_AS = str.maketrans({"I": "1", "L": "1", "O": "0"})


def seat_code(player: Player) -> str:
    """The code of the player's table, such as `7K3M9QWX`."""
    text = f"{player.event_id}:{player.pk}:{player.seat_code_number}"
    number = int.from_bytes(salted_hmac("multiplo.seat-code", text, algorithm="sha256").digest()[:5])
    return "".join(CODE_CHARACTERS[number >> 5 * place & 31] for place in range(CODE_LENGTH))


def format_seat_code(code: str) -> str:
    """The code as it is printed: `7K3M-9QWX`."""
    return f"{code[:4]}-{code[4:]}"


def is_seat_code(typed: str, player: Player) -> bool:
    """Return True for the code of the player's table as people type it: small letters, blanks, O for 0."""
    bare = "".join(sign for sign in typed.upper() if sign.isalnum()).translate(_READ_AS)
    return constant_time_compare(bare, seat_code(player))
