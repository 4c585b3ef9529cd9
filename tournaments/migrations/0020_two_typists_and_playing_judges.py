from __future__ import annotations

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    """Paper slips that are typed by two people, and judges who play along."""

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("tournaments", "0019_looks_at_groups"),
    ]

    operations = [
        migrations.AddField(model_name="event", name="double_typing", field=models.BooleanField(default=False)),
        migrations.AddField(
            model_name="membership",
            name="plays_as",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="judges",
                to="tournaments.player",
            ),
        ),
        migrations.CreateModel(
            name="Typing",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("raw", models.CharField(max_length=300)),
                ("word", models.CharField(blank=True, max_length=200)),
                ("ref", models.CharField(blank=True, max_length=20)),
                ("direction", models.CharField(blank=True, max_length=6)),
                ("hook", models.CharField(blank=True, max_length=20)),
                ("declared", models.PositiveIntegerField(blank=True, null=True)),
                ("several", models.BooleanField(default=False)),
                ("in_time", models.BooleanField(default=True)),
                ("at", models.DateTimeField()),
                ("settles", models.BooleanField(default=False)),
                ("entry", models.PositiveIntegerField()),
                (
                    "by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="typings", to="tournaments.player"
                    ),
                ),
                (
                    "slip",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="typings",
                        to="tournaments.slip",
                    ),
                ),
                (
                    "turn",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="typings", to="tournaments.turn"
                    ),
                ),
            ],
            options={"ordering": ["pk"]},
        ),
        migrations.CreateModel(
            name="FinalSlip",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("acknowledged", models.BooleanField()),
                ("at", models.DateTimeField()),
                (
                    "by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="final_slips",
                        to="tournaments.player",
                    ),
                ),
                (
                    "turn",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="final_slips",
                        to="tournaments.turn",
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("turn", "player"), name="one_final_slip_a_turn")],
            },
        ),
    ]
