"""What a test asks of a story: that it is as expected, or as it was before."""
