# SPDX-License-Identifier: GPL-2.0
"""The repository under test: its files, and which of them are the engine's.

PCL_CHECK_TOP stands in for the repository that the checks lie in; the selftest plants its violations in such a copy.
"""

import os
import subprocess

HOME = os.path.realpath(os.path.join(os.path.dirname(__file__), "../../../../.."))
TOP = os.path.realpath(os.environ.get("PCL_CHECK_TOP", HOME))
CHECKS = os.path.join(TOP, "tools/testing/pcl/checks")
ENGINE = "kernel/events"


def path(name):
    return os.path.join(TOP, name)


def exists(name):
    return os.path.exists(path(name))


def read(name):
    with open(path(name), encoding="utf-8", errors="replace") as f:
        return f.read()


def _walk():
    for directory, below, names in os.walk(TOP):
        below[:] = [d for d in below if d not in (".git", "__pycache__")]
        for name in names:
            yield os.path.relpath(os.path.join(directory, name), TOP)


def files():
    """Every file that is, or would be, committed. A copy without git is taken whole."""
    if os.path.exists(path(".git")):
        listing = subprocess.run(["git", "-c", "safe.directory=*", "-C", TOP, "ls-files", "-z", "-co", "--exclude-standard"],
                                 check=True, stdout=subprocess.PIPE).stdout.decode()
        names = {name for name in listing.split("\0") if name}
    else:
        names = set(_walk())
    return sorted(name for name in names if os.path.isfile(path(name)))


def below(directory, *suffixes):
    """Files under a directory, with one of the suffixes."""
    return [name for name in files() if name.startswith(directory + "/") and name.endswith(suffixes or ("",))]


def engine(*suffixes):
    """The engine's own files, by their names in kernel/events; without KUnit tests, which stand beside the code."""
    names = [os.path.basename(name) for name in below(ENGINE, *suffixes) if os.path.dirname(name) == ENGINE]
    return [name for name in names if not name.endswith("_test.c")]


def kernel(*suffixes):
    """Everything of ours that a kernel tree compiles."""
    return [name for name in files()
            if name.split("/")[0] in ("arch", "include", "kernel") and name.endswith(suffixes or (".c", ".h"))]
