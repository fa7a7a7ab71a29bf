"""Two bodies between two frames: planes that prove them apart, and the first touch."""
