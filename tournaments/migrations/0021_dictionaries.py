from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    """Games with two word lists, and words that are agreed for an event."""

    dependencies = [("tournaments", "0020_two_typists_and_playing_judges")]

    operations = [
        migrations.AddField(model_name="game", name="lexicon_parts", field=models.JSONField(blank=True, default=list)),
        migrations.AddField(model_name="wordruling", name="agreed", field=models.BooleanField(default=False)),
    ]
