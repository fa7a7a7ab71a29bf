"""The closest features of two bodies that are apart: named, measured, proven."""
