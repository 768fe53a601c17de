"""The full-screen console: what people see and press when they have a whole terminal."""

from __future__ import annotations

from typing import Final

LEAST_COLUMNS: Final = 60
LEAST_ROWS: Final = 20
"""A smaller window cannot hold a table; at the start, such a terminal gets the line mode."""
