"""Health of the running server: clock, storage, phones, and alarms for the desks."""
