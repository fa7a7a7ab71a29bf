"""Surfaces of any shape: boxes fitted in the frame, and the search over them."""
