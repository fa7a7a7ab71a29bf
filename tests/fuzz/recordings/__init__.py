"""Recordings that are damaged, interrupted, or written onto a disk that is full."""
