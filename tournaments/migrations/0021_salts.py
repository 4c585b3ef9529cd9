from __future__ import annotations

from typing import Any

from django.db import migrations, models

import tournaments.models.player


def give_salts(apps: Any, schema_editor: Any) -> None:
    """Each player gets a salt of their own; the default of a new column is the same for all."""
    players = apps.get_model("tournaments", "Player")
    rows = list(players.objects.all())
    for row in rows:
        row.salt = tournaments.models.player.new_salt()
    players.objects.bulk_update(rows, ["salt"], batch_size=500)


class Migration(migrations.Migration):
    """The salts of the seals by which the ledger knows players."""

    dependencies = [("tournaments", "0020_two_typists_and_playing_judges")]

    operations = [
        migrations.AddField(
            model_name="player",
            name="salt",
            field=models.CharField(default=tournaments.models.player.new_salt, max_length=32),
        ),
        migrations.RunPython(give_salts, migrations.RunPython.noop),
    ]
