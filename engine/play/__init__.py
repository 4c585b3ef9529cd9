"""Clock, seating plan and end of a turn."""
