"""Draw in a process of its own: who makes the frames never waits for it."""
