"""Tables as a stock tool of Linux shows them: one on another machine, and one beside the tool's own daemon."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from tests.namespaces.network import RUN
from tests.namespaces.people import at

if TYPE_CHECKING:
    from pathlib import Path

    from tests.namespaces.network import Network

MISSING = [name for name in ("dbus-daemon", "avahi-daemon", "avahi-browse") if shutil.which(name) is None]

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


@pytest.mark.skipif(bool(MISSING), reason=f"{', '.join(MISSING)} not found")
async def test_avahi_browse_shows_the_tables(net: Network, tmp_path: Path) -> None:
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
    one, two = net.lan("one", "two")
    two.run_privately(daemons)
    async with (
        at(one, tmp_path, "host", "--name", "Anna", "--table", "kitchen") as anna,
        at(two, tmp_path, "host", "--name", "Boris", "--table", "kitchen") as boris,
    ):
        await anna.until("open")
        await boris.until("open")
        browse = f"DBUS_SYSTEM_BUS_ADDRESS=unix:path={socket} avahi-browse -rpt _p2pdurak._tcp"
        shown = two.run_privately(browse).splitlines()
    print("\n".join(shown))
    resolved = [line.split(";") for line in shown if line.startswith("=")]
    tables = {(line[4], line[7], line[8]) for line in resolved if line[2] == "IPv4"}
    assert tables == {("_p2pdurak._tcp", f"10.1.0.{number}", "47800") for number in (1, 2)}
    assert all('"table=kitchen"' in line[9] for line in resolved)
