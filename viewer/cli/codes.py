"""Name the exit codes of the command line, and say errors in a line.

Needs no parser, as the overview needs none.
"""

import os

YES, NO, FAILED = 0, 1, 2  # 2: something could not be read or run
INTERRUPTED = 130  # 128 + SIGINT, as shells say
PIPE_CLOSED = 141  # 128 + SIGPIPE


def one_line(error: Exception) -> str:
    """Say an error in one line, a failed system call with the file first."""
    if isinstance(error, OSError) and error.strerror and error.filename is not None:
        return f"{os.fspath(error.filename)}: {error.strerror.lower()}"
    said = [str(error), *getattr(error, "__notes__", ())]
    return "; ".join(" ".join(text.split()).rstrip(".") for text in said if text)
