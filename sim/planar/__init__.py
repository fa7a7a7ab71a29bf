"""In the plane: a disk and a triangle that are tracked and told as bodies in space are.

The little brother of the tracker, and the two demos of the plane without a screen; the
windows are in `viewer.demos`.
"""
