import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    """Apart from the filling: PostgreSQL changes no table whose rows were changed in the same transaction."""

    dependencies = [
        ("tournaments", "0012_rooms_that_follow"),
    ]

    operations = [
        migrations.AlterField(
            model_name="entry",
            name="room",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="entries", to="tournaments.room"
            ),
        ),
        migrations.AlterField(
            model_name="document",
            name="room",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="documents", to="tournaments.room"
            ),
        ),
        migrations.AddIndex(
            model_name="turnclock",
            index=models.Index(condition=models.Q(("shown_at", None)), fields=["room"], name="clocks_not_shown"),
        ),
        migrations.AddConstraint(
            model_name="room",
            constraint=models.UniqueConstraint(fields=("event", "number"), name="one_room_of_a_number"),
        ),
    ]
