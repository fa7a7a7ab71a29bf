"""Collect what can be shown besides bodies and closest features."""
