"""``python -m viewer.cli``: the same as ``wingedge``."""

import sys

from viewer.cli import main

if __name__ == "__main__":
    sys.exit(main())
