"""The errors of what happens over time.

```
ValueError
    RecordingError       a file is no recording, or not one that can be read here
```
"""

import errno

FULL = {errno.ENOSPC, errno.EDQUOT} if hasattr(errno, "EDQUOT") else {errno.ENOSPC}


class RecordingError(ValueError):
    """Say in one sentence which file could not be read or written, and what to do."""


def advice(error: BaseException) -> str:
    """Say what to do about a file that cannot be written."""
    if getattr(error, "errno", None) in FULL or "No space left" in str(error):
        return "make room on the disk, or give the name of a file on another one"
    return "give the name of a file in a folder that exists and can be written to"
