"""Draw a frame: bodies, closest features, and their labels."""
