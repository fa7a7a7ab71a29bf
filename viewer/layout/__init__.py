"""Where things go and how large they are, in plain numpy: nothing here can draw."""
