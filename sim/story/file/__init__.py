"""The file of a recording: written frame by frame, sealed, read and resumed."""

from typing import Any

SIGNATURE = b"\x89HDF\r\n\x1a\n"  # how a file of HDF5 begins
MAGIC = b"\x89wingedge recording 8\r\n\x1a\n"  # and a recording that was not ended


def hdf5() -> Any:
    """Return h5py, which is loaded when it is needed first; say how to get it."""
    try:
        import h5py
    except ImportError:
        raise ImportError("recordings need h5py: pip install h5py") from None
    return h5py
