"""Show a timeline in a window: keys, slider, story beside the picture."""
