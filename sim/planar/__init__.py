"""Track a disk and a triangle of the plane, with events as of bodies in space.

The little brother of the tracker, and the two demos of the plane without a screen; the
windows are in `viewer.demos`.
"""
