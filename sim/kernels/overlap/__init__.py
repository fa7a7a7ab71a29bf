"""Bodies that touch or overlap: the polytope of their difference, and its depth."""
