"""The tests, the benchmarks, and what both are made with.

Whoever joins any table there is must find no other test's, and whoever comes back to a port nobody on it: so each
process has a room for itself.
"""

import os

os.environ["P2PDURAK_ROOM"] = f"{os.getpid() % 10**6}"
