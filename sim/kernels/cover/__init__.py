"""The convex cover of moving positions, repaired by flips and proved."""
