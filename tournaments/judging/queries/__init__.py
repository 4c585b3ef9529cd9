"""Read-only data of judging: the judges' queue, previews of rulings, reviews and appeals."""
