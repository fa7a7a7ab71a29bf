"""What happens between two frames: when, and proof where nothing does."""
