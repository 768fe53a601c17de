"""Writes down every packet that crosses the interfaces of this network namespace; run as a script.

It says ``listening`` on standard output when it has begun, and the packets go to the file named on the command line.
"""

import socket
import sys

ALL_PROTOCOLS = 0x0003


def listen(path: str) -> None:
    with (
        socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.ntohs(ALL_PROTOCOLS)) as wire,
        open(path, "wb") as file,
    ):
        print("listening", flush=True)
        while True:
            file.write(wire.recv(65_536))
            file.flush()


if __name__ == "__main__":
    listen(sys.argv[1])
