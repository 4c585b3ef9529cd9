"""In words: where the chain of a ledger breaks."""

from __future__ import annotations

from django.utils.translation import gettext as _

from engine.ledger import BadLink


def broken_sentence(bad: BadLink) -> str:
    """Which entry does not follow from the one before it, of what kind it is and from when."""
    facts = {"entry": bad.place, "kind": bad.kind or "?", "at": bad.at or "?"}
    return (
        _(
            "The ledger breaks at entry %(entry)d (%(kind)s, %(at)s): it, or the one before it, was changed, put in or "
            "taken out after it was sealed. Nothing after it proves anything."
        )
        % facts
    )
