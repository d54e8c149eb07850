#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""What results depend on: the keys of every cache that keeps them.

inputs.py KERNEL EMULATOR    prints the key; for the test

A result is kept by run-tests, for a whole suite, and by selftests/run, for a boot. It may be used again only while all
that could change it is the same: how machines are run (the files of MACHINE), what runs in this one, the kernel, with
its modules, and the emulator by what they contain, the compiler, and the Debian packages, Debian's perf among them,
which the machine sees as its own. PCL_NO_CACHE=1, which `run-tests --no-cache` sets, makes both do their work again.
"""

import functools
import glob
import hashlib
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.realpath(__file__))
TOP = os.path.realpath(os.path.join(HERE, "../../.."))
# Directories and files, below the top: what the test programs are made of; and how a machine is run.
PROGRAMS = ("tools/testing/pcl/selftests", "tools/testing/pcl/honesty", "tools/testing/pcl/torture",
            "tools/testing/pcl/bench", "tools/testing/pcl/kernel/producer", "tools/testing/pcl/kernel/models",
            "tools/testing/pcl/pmu/stats.h", "include/uapi/linux/pcl.h",
            "Documentation/events/permissions.rst")
MACHINE = ("tools/testing/pcl/vm", "tools/testing/pcl/tap.sh", "tools/testing/pcl/inputs.py")
# The same for a suite without one, beside what its row lists; and the variables that change what one does.
ALONE = ("tools/testing/pcl/tap.sh", "tools/testing/pcl/inputs.py")
VARIABLES = ("CC", "SEED")
TOOLS = (("perf", "--version"), ("gcc", "--version"), ("dpkg-query", "-W"))


def fresh():
    """True when nothing that was kept may be used."""
    return os.environ.get("PCL_NO_CACHE", "") not in ("", "0")


def files(parts):
    """Every file of the parts, sorted. What documents say changes no result."""
    found = []
    for part in parts:
        path = os.path.join(TOP, part)
        if os.path.isfile(path):
            found.append(path)
        elif not os.path.isdir(path):
            raise SystemExit("inputs: %s is absent" % part)
        for directory, _, names in os.walk(path):
            found += [os.path.join(directory, name) for name in names if not name.endswith((".md", ".pyc"))]
    return sorted(set(found))


def content(path):
    """The hash of what a file contains; another one of a file that is absent."""
    if not os.path.isfile(path):
        return "absent " + path
    result = hashlib.sha256()
    with open(path, "rb") as f:
        for block in iter(lambda: f.read(1 << 20), b""):
            result.update(block)
    return result.hexdigest()


def kernel_content(path):
    """The same of a kernel and the modules beside it."""
    return " ".join(content(name) for name in [path] + sorted(glob.glob(os.path.join(os.path.dirname(path), "*.ko"))))


@functools.cache
def said(command):
    """What a tool says of its version."""
    try:
        return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout.decode()
    except FileNotFoundError:
        return "absent"


def digest(paths, *strings):
    """One hash of files, by name below the top and content, and of strings."""
    result = hashlib.sha256()
    for path in paths:
        result.update(("%s %s\0" % (os.path.relpath(path, TOP), content(path))).encode())
    for string in strings:
        result.update(string.encode() + b"\0")
    return result.hexdigest()[:24]


def key(kernel, emulator, reads, *what):
    """
    The key of the result of a machine: kernel and emulator are paths, reads the files and directories of the
    repository that are read in it or decide what is run there, what tells which result it is.
    """
    return digest(files((*MACHINE, *reads)), kernel_content(kernel), content(emulator),
                  *(said(command) for command in TOOLS), *what)


def key_alone(reads, *what):
    """The key of the result of a suite that has no machine, and reads these files and directories."""
    return digest(files((*ALONE, *reads)), *(said(command) for command in TOOLS),
                  *("%s=%s" % (name, os.environ.get(name, "")) for name in VARIABLES), *what)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        raise SystemExit("usage: inputs.py KERNEL EMULATOR")
    print(key(*sys.argv[1:], ()))
