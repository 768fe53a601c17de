"""Commands in processes of their own that need not import anything: a server that has it all already forks them.

To import the program costs a process more than to play a short game. So one server is started with the first command
that is wanted, imports every module, and from then on forks itself for each command: what is forked has the streams,
the environment and the words that were asked for, nothing else has been done in it before, and it ends as a program
does. It can be stopped, killed and waited for like any child.

Run as ``python -m tests.cli.forking`` on a socket as standard input: a line of JSON with open files is a command, and
the answer is the number of its process. The first file is told how that has ended, the others are its streams, or a
single one is its terminal.

Rejected: to fork the tests themselves, in which an event loop is running; ``multiprocessing.forkserver``, which pickles
functions and leaves signals and standard streams to itself.
"""

from __future__ import annotations

import atexit
import contextlib
import ctypes
import gc
import importlib
import json
import os
import pkgutil
import select
import signal
import socket
import subprocess
import sys
import termios
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any

import trio
from pexpect.fdpexpect import fdspawn

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

LONGEST_REQUEST = 1 << 20
END_SECONDS = 5.0
PACKAGES = ("p2pdurak.cli", "p2pdurak.ui.console", "p2pdurak.net")


@dataclass
class Forked:
    """A process that the server has forked, as ``trio.Process`` is one that was started."""

    pid: int
    stdin: trio.lowlevel.FdStream
    stdout: trio.lowlevel.FdStream
    stderr: trio.lowlevel.FdStream
    _end: trio.lowlevel.FdStream
    _waiting: trio.Lock = field(default_factory=trio.Lock)
    returncode: int | None = None

    async def wait(self) -> int:
        """Wait for its end; return the exit status, or the negative number of the signal that killed it."""
        async with self._waiting:
            if self.returncode is None:
                self.returncode = int(await self._end.receive_some())
                await self._end.aclose()
        return self.returncode

    def send_signal(self, number: int) -> None:
        if self.returncode is None:
            with contextlib.suppress(ProcessLookupError):  # ended, and nobody has waited for it yet
                os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


def request(
    words: Sequence[str], environment: Mapping[str, str], *streams: int, namespaces: Sequence[str] = ()
) -> tuple[int, int]:
    """Run ``p2pdurak WORDS`` in a process of its own; return its number, and the file in which stands how it ended.

    It has these three ``streams``, or one that is a terminal, and they are closed here. ``namespaces`` are the files of
    those of Linux that it enters first.
    """
    end, its_end = os.pipe()
    command = {"words": words, "environment": dict(environment), "namespaces": namespaces}
    try:
        socket.send_fds(server(), [json.dumps(command).encode() + b"\n"], (its_end, *streams))
        return int(server().recv(20)), end
    finally:
        for descriptor in (its_end, *streams):
            os.close(descriptor)


async def fork(*words: str, environment: Mapping[str, str], namespaces: Sequence[str]) -> Forked:
    """Run ``p2pdurak WORDS`` in a process of its own, with pipes for its streams."""
    (its_in, stdin), (stdout, its_out), (stderr, its_err) = (os.pipe() for _ in range(3))
    pid, end = request(words, environment, its_in, its_out, its_err, namespaces=namespaces)
    streams = [trio.lowlevel.FdStream(descriptor) for descriptor in (stdin, stdout, stderr, end)]
    return Forked(pid, streams[0], streams[1], streams[2], streams[3])


class AtTerminal(fdspawn):  # type: ignore[type-arg] # it takes no argument but for the type checker
    """A process that the server has forked with a terminal, as ``pexpect.spawn`` is one that was started."""

    def __init__(self, *words: str, environment: Mapping[str, str], rows: int, columns: int, patience: float) -> None:
        ours, its = os.openpty()
        termios.tcsetwinsize(ours, (rows, columns))
        self.number, self._end = request(words, environment, its)
        super().__init__(ours, encoding="utf-8", timeout=patience)
        self.delaybeforesend = None

    def setwinsize(self, rows: int, columns: int) -> None:
        termios.tcsetwinsize(self.child_fd, (rows, columns))

    def kill(self, number: int) -> None:
        with contextlib.suppress(ProcessLookupError):  # ended, and nobody has waited for it yet
            os.kill(self.number, number)

    def close(self) -> None:
        """Take the terminal away and wait for the end, which that is for most; who takes long for it is killed."""
        if self.closed:
            return
        super().close()
        if not select.select([self._end], [], [], END_SECONDS)[0]:
            self.kill(signal.SIGKILL)
        with open(self._end, "rb") as end:
            status = int(end.read())
        self.exitstatus, self.signalstatus = (status, None) if status >= 0 else (None, -status)


@cache
def server() -> socket.socket:
    """Start the server of this process, which ends with it; return the socket to it."""
    ours, its = socket.socketpair()
    process = subprocess.Popen([sys.executable, "-m", "tests.cli.forking"], stdin=its.fileno())
    its.close()

    def stop() -> None:
        ours.close()
        process.wait()

    atexit.register(stop)
    return ours


def serve(requests: socket.socket) -> None:
    """Fork a process for each request, in which this function returns; the server itself ends here."""
    ends: dict[int, int] = {}
    woken, wakes = os.pipe()
    for descriptor in (woken, wakes):
        os.set_blocking(descriptor, False)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever interrupts the tests ends the server with them
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wakes, warn_on_full_buffer=False)
    while True:
        ready, _, _ = select.select([requests.fileno(), woken], [], [])
        if woken in ready:
            os.read(woken, LONGEST_REQUEST)
            tell_ends(ends)
        if requests.fileno() not in ready:
            continue
        data, (*given,), _, _ = socket.recv_fds(requests, LONGEST_REQUEST, 4)
        if not data:
            os._exit(0)
        while not data.endswith(b"\n"):
            data += requests.recv(LONGEST_REQUEST)
        pid = os.fork()
        if pid == 0:
            signal.set_wakeup_fd(-1)
            become(json.loads(data), given[1:])
            for descriptor in (woken, wakes, *given, *ends.values()):
                os.close(descriptor)
            return
        ends[pid], *streams = given
        for descriptor in streams:
            os.close(descriptor)
        requests.send(str(pid).encode())


def tell_ends(ends: dict[int, int]) -> None:
    """Tell of each process that has ended how it did; ``ends`` are the files to write it to."""
    while ends:
        pid, status = os.waitpid(-1, os.WNOHANG)
        if pid == 0:
            return
        with os.fdopen(ends.pop(pid), "wb") as end, contextlib.suppress(BrokenPipeError):
            end.write(str(os.waitstatus_to_exitcode(status)).encode())


def become(request: dict[str, Any], streams: list[int]) -> None:
    """Make this process one that has just been started with these words, streams and environment."""
    enter(request["namespaces"])
    for number in (signal.SIGCHLD, signal.SIGHUP):  # who runs the tests may have had the shell ignore hang-ups
        signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if len(streams) == 1:
        os.login_tty(os.dup(streams[0]))
    else:
        for standard, stream in enumerate(streams):
            os.dup2(stream, standard)
    os.environ.clear()
    os.environ.update(request["environment"])
    sys.argv = [sys.argv[0], *request["words"]]
    sys.stdin, sys.stdout, sys.stderr = (
        open(number, mode, encoding="utf-8", closefd=False)  # noqa: SIM115 - as long as the process
        for number, mode in enumerate("rww")
    )


def enter(namespaces: list[str]) -> None:
    """Enter these namespaces, of which the later ones may belong to the earlier; ``os.setns`` came with Python 3.12."""
    libc = ctypes.CDLL(None, use_errno=True)
    with contextlib.ExitStack() as stack:
        for file in [stack.enter_context(open(name, "rb")) for name in namespaces]:
            if libc.setns(file.fileno(), 0):
                raise OSError(ctypes.get_errno(), f"{file.name} cannot be entered")


def import_all() -> None:
    """Import all that a command may need."""
    for name in PACKAGES:
        package = importlib.import_module(name)
        for module in pkgutil.iter_modules(package.__path__, f"{name}."):
            importlib.import_module(module.name)
    gc.freeze()


if __name__ == "__main__":
    import_all()
    from p2pdurak.cli import main

    serve(socket.socket(fileno=os.dup(0)))
    sys.exit(main(sys.argv[1:]))
