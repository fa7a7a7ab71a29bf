"""What happened between two frames: to a body, to regions, and over which features."""
