from __future__ import annotations

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    """What judges have looked at, anonymous judging, the spot check."""

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("tournaments", "0018_appeals"),
    ]

    operations = [
        migrations.AddField(model_name="event", name="anonymous_judging", field=models.BooleanField(default=False)),
        migrations.AddField(model_name="event", name="spot_check", field=models.PositiveSmallIntegerField(default=0)),
        migrations.CreateModel(
            name="GroupLook",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("group", models.CharField(max_length=64)),
                ("state", models.CharField(max_length=32)),
                ("at", models.DateTimeField()),
                (
                    "by",
                    models.ForeignKey(
                        null=True, on_delete=django.db.models.deletion.SET_NULL, to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "slip",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="looks",
                        to="tournaments.slip",
                    ),
                ),
                (
                    "turn",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="looks", to="tournaments.turn"
                    ),
                ),
            ],
            options={"ordering": ["pk"]},
        ),
    ]
