"""What happened: events, their one written form, and the recording of a run."""
