"""Say where frames come from, and which of them is shown."""
