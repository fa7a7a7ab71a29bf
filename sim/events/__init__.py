"""What happened between two frames: to a pair, to its regions, to a body."""
