"""``python -m p2pdurak`` is the command ``p2pdurak``."""

import sys

from p2pdurak.cli import main

if __name__ == "__main__":
    sys.exit(main())
