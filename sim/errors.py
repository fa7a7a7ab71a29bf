"""The errors of what happens over time.

```
ValueError
    RecordingError       a file is no recording, or not one that can be read here
```
"""


class RecordingError(ValueError):
    """Say in one sentence which file could not be read or written, and what to do."""
