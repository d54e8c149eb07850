# SPDX-License-Identifier: GPL-2.0
"""What results depend on: the keys of every cache that keeps them.

A result is kept by run-tests, for a whole suite, by selftests/run, for a boot, and by bench/run and differ/run, for what
a program said on a kernel. It may be used again only while all that could change it is the same: how machines are run
(the files of MACHINE), what runs in this one, the kernel, with its modules, and the emulator by what they contain, the
compiler, the Debian packages, Debian's perf among them, which the machine sees as its own, the kernel below all, and the
environment. PCL_NO_CACHE=1, which `run-tests --no-cache` sets, makes all four do their work again.
"""

import functools
import glob
import hashlib
import os
import shutil
import subprocess

HERE = os.path.dirname(os.path.realpath(__file__))
TOP = os.path.realpath(os.path.join(HERE, "../../.."))
# Directories and files, below the top: what the test programs are made of; and how a machine is run.
PROGRAMS = ("tools/testing/pcl/selftests", "tools/testing/pcl/honesty", "tools/testing/pcl/torture",
            "tools/testing/pcl/kernel/producer", "tools/testing/pcl/kernel/models", "include/uapi/linux/pcl.h",
            "Documentation/events/permissions.rst")
MACHINE = ("tools/testing/pcl/vm", "tools/testing/pcl/tap.sh", "tools/testing/pcl/inputs.py")
# Files below a directory of MACHINE that run none: what tests the runner.
TESTS_OF_MACHINES = ("test", "test-sparc64")
# What a suite without a machine always reads, beside what its row lists.
ALONE = ("tools/testing/pcl/tap.sh", "tools/testing/pcl/inputs.py")
# The variables that change what is done, beside those called PCL_* but for two: one says whether a kept result is used, the
# other where the emulator lies, which is known by what it contains.
VARIABLES = ("CC", "CXX", "CFLAGS", "CPPFLAGS", "LDFLAGS", "SEED", "FIRST", "ROUNDS")
WITHOUT = ("PCL_NO_CACHE", "PCL_QEMU")
PACKAGES = ("dpkg-query", "-W")
TOOLS = (("perf", "--version"), ("gcc", "--version"), ("uname", "-srm"), PACKAGES)


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


def machine_files():
    """The files of MACHINE, but for the tests of it."""
    return [path for path in files(MACHINE) if os.path.basename(path) not in TESTS_OF_MACHINES]


def content(path):
    """The hash of what a file contains; another one of a file that is absent."""
    if not os.path.isfile(path):
        return "absent " + path
    result = hashlib.sha256()
    with open(path, "rb") as f:
        for block in iter(lambda: f.read(1 << 20), b""):
            result.update(block)
    return result.hexdigest()


@functools.cache
def content_then(path, *_):
    return content(path)


def big_content(path):
    """The same, found once in a process as long as the file keeps its place, time and size: it takes its time."""
    try:
        found = os.stat(path)
    except OSError:
        return content(path)
    return content_then(path, found.st_ino, found.st_mtime_ns, found.st_size)


def kernel_content(path):
    """That of a kernel and the modules beside it."""
    return " ".join(map(big_content, [path] + sorted(glob.glob(os.path.join(os.path.dirname(path), "*.ko")))))


def emulator_content(path):
    """That of an emulator; one without a slash is what the shell would find."""
    return big_content(shutil.which(path) or path)


@functools.cache
def said(command):
    """What a tool says of its version."""
    try:
        return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout.decode()
    except FileNotFoundError:
        return "absent"


def digest(paths, *strings):
    """One hash of files, by name below the top, content, and whether they can be run, and of strings."""
    result = hashlib.sha256()
    for path in paths:
        runs = "run" if os.access(path, os.X_OK) else "read"
        result.update(("%s %s %s\0" % (os.path.relpath(path, TOP), runs, content(path))).encode())
    for string in strings:
        result.update(string.encode() + b"\0")
    return result.hexdigest()[:24]


def surroundings():
    """What the tools say, and the variables that are set. One that is empty is not absent: a program may tell them apart."""
    return [said(command) for command in TOOLS] + \
        ["%s=%s" % (name, value) for name, value in sorted(os.environ.items())
         if name in VARIABLES or (name.startswith("PCL_") and name not in WITHOUT)]


def key(kernel, emulator, reads, *what):
    """
    The key of the result of a machine: kernel and emulator are paths, reads the files and directories of the
    repository that are read in it or decide what is run there, what tells which result it is.
    """
    return digest(sorted({*machine_files(), *files(reads)}), kernel_content(kernel), emulator_content(emulator),
                  *surroundings(), *what)


def key_alone(reads, *what):
    """The key of the result of a suite that has no machine, and reads these files and directories."""
    return digest(files((*ALONE, *reads)), *surroundings(), *what)


def still(name, now):
    """
    After the work: is a name with a key in it, which now() gives, what it was before? If not, an input changed meanwhile,
    and nobody knows of which content the result is.
    """
    said.cache_clear()
    return now() == name
