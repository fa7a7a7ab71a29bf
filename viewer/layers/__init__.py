"""What can be shown besides bodies and closest features, layer by layer."""
