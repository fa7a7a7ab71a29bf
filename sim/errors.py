"""The errors of what happens over time.

```
ValueError
    RecordingError       a file is no recording, or not one that can be read here
```
"""

import errno

FULL = {errno.ENOSPC, errno.EDQUOT} if hasattr(errno, "EDQUOT") else {errno.ENOSPC}
LONGEST = 300  # letters of what the system said that a message repeats


class RecordingError(ValueError):
    """Say in one sentence which file could not be read or written, and what to do."""


def advice(error: BaseException) -> str:
    """Say what to do about a file that cannot be written."""
    if getattr(error, "errno", None) in FULL or "No space left" in str(error):
        return "make room on the disk, or give the name of a file on another one"
    return "give the name of a file in a folder that exists and can be written to"


def reason(error: Exception) -> str:
    """Say in a few words what the system said."""
    text = getattr(error, "strerror", None) or str(error)
    line = text.splitlines()[0] if text else type(error).__name__
    return line if len(line) <= LONGEST else f"{line[:LONGEST]}..."
