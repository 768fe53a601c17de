"""Games on a network that fails, on machines that crash: thousands of them, each a function of one integer.

The real ``Node``, ``Journal``, ``Session``, lobby, ``Mesh`` and ``Link`` play. What is simulated lies below them: the
wires (``wire``), who reaches whom and how fast (``network``), and the machine with its disk, clock, threads and entropy
(``machine``). A ``scenario`` is drawn from the seed, ``game`` plays it and says what did not hold.
``python -m tests.faults SEED`` plays one and tells its course.

Rejected: faults between real processes, which find the same bugs once and not again; and faults between bare sessions
(``tests.helpers``), which leave out journal, links and catching up, where most of what can be lost is lost.
"""
