"""`python -m lostcities` is the command `lostcities`."""

import sys

from lostcities.cli import main

if __name__ == "__main__":
    sys.exit(main())
