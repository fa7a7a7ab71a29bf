"""Who is closest to whom: the tracker, the exhaustive oracle, the checker."""
