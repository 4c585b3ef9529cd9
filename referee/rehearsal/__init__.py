"""A rehearsal: how many phones this computer and this hall carry, found out before the evening and not during it."""
