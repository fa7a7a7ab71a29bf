"""What an update looked at and tried, told on request."""
