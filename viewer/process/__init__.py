"""A screen in a process of its own: whoever makes the frames never waits for it."""
