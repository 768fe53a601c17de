"""Hypothesis repeats the same examples in every run, and no example is timed."""

from hypothesis import settings

settings.register_profile("crypto", derandomize=True, deadline=None, max_examples=60)
settings.load_profile("crypto")
