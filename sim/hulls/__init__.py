"""Bodies that stand for their convex hulls: the hull as a body, and its tracker."""
