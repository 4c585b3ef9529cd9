import django.db.models.deletion
from django.db import migrations, models


def fill(apps, schema_editor):
    """Until now an event had one room that anybody used: what was placed was shown there, and everybody played there."""
    names = ("Room", "Document", "Entry", "Turn", "TurnClock")
    Room, Document, Entry, Turn, TurnClock = (apps.get_model("tournaments", name) for name in names)
    for event in Room.objects.values_list("event", flat=True).distinct():
        for number, room in enumerate(Room.objects.filter(event=event).order_by("pk"), 1):
            Room.objects.filter(pk=room.pk).update(number=number)
            Entry.objects.filter(player__room=room).update(room=room)
        first = Room.objects.get(event=event, number=1)
        Document.objects.filter(game__event=event).update(room=first)
    for turn in Turn.objects.filter(placed_at__isnull=False):
        TurnClock.objects.filter(turn=turn).update(shown_at=turn.placed_at)


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0011_nicknames_and_forgetting"),
    ]

    operations = [
        migrations.AddField(model_name="room", name="number", field=models.PositiveIntegerField(default=1)),
        migrations.AddField(
            model_name="room", name="offset_s", field=models.PositiveIntegerField(blank=True, null=True)
        ),
        migrations.AddField(
            model_name="room",
            name="wall_token",
            field=models.CharField(blank=True, max_length=43, null=True, unique=True),
        ),
        migrations.AddField(model_name="room", name="seq", field=models.PositiveBigIntegerField(default=0)),
        migrations.AlterModelOptions(name="room", options={"ordering": ["number"]}),
        migrations.AddField(model_name="turnclock", name="shown_at", field=models.DateTimeField(blank=True, null=True)),
        migrations.AddField(
            model_name="entry",
            name="room",
            field=models.ForeignKey(
                null=True, on_delete=django.db.models.deletion.PROTECT, related_name="entries", to="tournaments.room"
            ),
        ),
        migrations.AddField(
            model_name="document",
            name="room",
            field=models.ForeignKey(
                null=True, on_delete=django.db.models.deletion.CASCADE, related_name="documents", to="tournaments.room"
            ),
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
