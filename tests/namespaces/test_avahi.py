"""Tables as a stock tool of Linux shows them."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from tests.namespaces.network import RUN, network
from tests.namespaces.people import at

if TYPE_CHECKING:
    from pathlib import Path

PROGRAMS = ("dbus-daemon", "avahi-daemon", "avahi-browse")

# A system bus of the test's own, on which everybody may do everything.
BUS = """<busconfig>
<type>system</type>
<listen>unix:path={socket}</listen>
<auth>EXTERNAL</auth>
<policy context="default">
<allow own="*"/><allow send_destination="*"/><allow receive_sender="*"/><allow user="*"/>
</policy>
</busconfig>
"""


async def test_avahi_browse_shows_the_table(tmp_path: Path) -> None:
    if missing := [program for program in PROGRAMS if shutil.which(program) is None]:
        pytest.skip(f"{', '.join(missing)} not found")
    bus, settings, socket = (tmp_path / name for name in ("bus.conf", "avahi.conf", "bus"))
    bus.write_text(BUS.format(socket=socket))
    settings.write_text("[server]\nuse-ipv4=yes\nuse-ipv6=yes\n")
    # The daemon gives a folder to its own user; here, everybody is the one user that the namespace knows.
    everybody = "root:x:0:0::/:/bin/sh\\navahi:x:0:0::/:/bin/sh\\n"
    daemons = f"""
        printf '{everybody}' > {RUN}/passwd
        printf 'root:x:0:\\navahi:x:0:\\n' > {RUN}/group
        mount --bind {RUN}/passwd /etc/passwd
        mount --bind {RUN}/group /etc/group
        export DBUS_SYSTEM_BUS_ADDRESS=unix:path={socket}
        dbus-daemon --config-file={bus} --fork
        avahi-daemon --file={settings} --daemonize --no-drop-root --no-chroot --no-rlimits
    """
    with network() as net:
        one, two = net.lan("one", "two")
        two.run_privately(daemons)
        async with at(one, tmp_path, "host", "--name", "Anna", "--table", "kitchen") as anna:
            port = (await anna.until("open"))["port"]
            browse = f"DBUS_SYSTEM_BUS_ADDRESS=unix:path={socket} avahi-browse -rpt _p2pdurak._tcp"
            shown = two.run_privately(browse).splitlines()
    print("\n".join(shown))
    resolved = [line.split(";") for line in shown if line.startswith("=")]
    assert {(line[4], line[7], line[8]) for line in resolved if line[2] == "IPv4"} == {
        ("_p2pdurak._tcp", "10.1.0.1", str(port))
    }
    assert all('"table=kitchen"' in line[9] for line in resolved)
