"""Sockets, files and tasks: the only package that opens any of them, all under trio.

``link`` carries frames between two authenticated peers, ``serve`` and ``dial`` make links, ``discovery`` finds
tables on the local network, ``journal`` and ``profile`` keep what must survive a crash.
"""
