from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0010_roles_and_seat_codes"),
    ]

    operations = [
        migrations.AddField(
            model_name="player",
            name="nickname",
            field=models.CharField(blank=True, max_length=200, default=""),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="event",
            name="keep_days",
            field=models.PositiveIntegerField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="event",
            name="forgotten_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="event",
            name="ledger_has_names",
            field=models.BooleanField(default=False),
        ),
    ]
