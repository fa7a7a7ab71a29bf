"""Pick, read, move, turn and deform bodies by hand, without a screen."""
