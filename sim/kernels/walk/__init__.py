"""Supports and the walk (GJK) that comes from one to the next."""
