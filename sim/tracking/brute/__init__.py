"""The answer by brute force: every pair of features tried, exactly if wanted."""
