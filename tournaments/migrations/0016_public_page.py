import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0015_rounds_and_arrivals"),
    ]

    operations = [
        migrations.CreateModel(
            name="PublicPage",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("token", models.CharField(max_length=43, unique=True)),
                ("is_on", models.BooleanField(default=False)),
                ("delay", models.PositiveSmallIntegerField(default=1)),
                ("own_sheets", models.BooleanField(default=False)),
                ("may_be_found", models.BooleanField(default=False)),
                (
                    "event",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="public_page",
                        to="tournaments.event",
                    ),
                ),
            ],
        ),
    ]
