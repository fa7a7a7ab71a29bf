"""The forms of a story for other programs: columns, JSON Lines, CSV, a live log."""
