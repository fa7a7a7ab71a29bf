"""What stands behind an answer: the independent checker."""
