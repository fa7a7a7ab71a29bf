"""The search of the paper, as it is printed, and its two contact tests."""
