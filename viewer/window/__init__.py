"""Show a timeline in a window: keys, slider, story; pick and move bodies by hand."""
