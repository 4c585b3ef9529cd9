from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0020_two_typists_and_playing_judges")]

    operations = [
        migrations.AddField("event", "listed_only", models.BooleanField(default=False)),
        migrations.AddField("player", "self_joined", models.BooleanField(default=False)),
    ]
