"""The pictures of docs/gallery: one entry for each, in chapters."""
