"""Place and size what is drawn, in plain numpy."""
