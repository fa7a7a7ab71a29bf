"""A frame on the screen: bodies, closest features, and what is written on them."""
