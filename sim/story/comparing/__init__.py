"""What makes two stories different: sequences aligned, ties judged, words found."""
