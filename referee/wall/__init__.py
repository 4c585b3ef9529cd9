"""What the hall sees on the projector."""
