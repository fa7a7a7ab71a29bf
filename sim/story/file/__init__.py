"""The file of a recording: written frame by frame, sealed, read and resumed."""
