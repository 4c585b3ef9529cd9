"""Solo practice: one player against the clock, on pages without WebSockets."""
