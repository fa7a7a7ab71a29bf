"""A window on a timeline: keys, the slider, the story beside the picture."""
