"""The file of a recording: written frame by frame, sealed, read and resumed."""

SIGNATURE = b"\x89HDF\r\n\x1a\n"  # how a file of HDF5 begins
MAGIC = b"\x89wingedge recording 8\r\n\x1a\n"  # and a recording that was not ended
