"""What stands behind an answer: its bounds, the independent checker, its misses."""
