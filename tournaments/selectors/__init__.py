"""Questions that read. Answers are frozen dataclasses."""
