from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0009_heartbeat_of_clock_and_backup"),
    ]

    operations = [
        migrations.AlterField(
            model_name="membership",
            name="role",
            field=models.CharField(
                choices=[("director", "director"), ("judge", "judge"), ("typist", "typist"), ("wall", "wall")],
                max_length=10,
            ),
        ),
        migrations.AddField(
            model_name="membership",
            name="seen_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="event",
            name="seat_codes",
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name="player",
            name="seat_code_number",
            field=models.PositiveSmallIntegerField(default=0),
        ),
    ]
