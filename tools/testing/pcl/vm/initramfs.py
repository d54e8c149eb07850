# SPDX-License-Identifier: GPL-2.0
"""The guest's initramfs: our init, built once, and the specification of one run."""

import os
import subprocess
import sys

from machine import ARCHES, Failure

HERE = os.path.dirname(os.path.realpath(__file__))
sys.path.append(os.path.dirname(HERE))

import inputs

CACHE = os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "pcl")


def build_init(arch):
    """The path of the static init for an architecture, compiled when its source, how, or with what is new."""
    source = os.path.join(HERE, "init.c")
    command = [ARCHES[arch]["compiler"], "-static", "-O2", "-s", "-Wall"]
    key = inputs.digest([source], *command, inputs.said((command[0], "--version")), inputs.said(inputs.PACKAGES))
    path = os.path.join(CACHE, "vm", "init-%s-%s" % (arch, key))
    if not os.path.exists(path):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        fresh = "%s.%d" % (path, os.getpid())
        result = subprocess.run([*command, "-o", fresh, source], capture_output=True, text=True)
        if result.returncode:
            raise Failure("cannot build the guest's init:\n" + result.stderr)
        os.rename(fresh, path)
    return path


def specification(command, environment, cwd, shares, winsize):
    """What init.c reads: strings key=value, each ended by a zero byte."""
    items = ["cwd=" + cwd]
    items += ["arg=" + argument for argument in command]
    items += ["env=" + variable for variable in environment]
    items += ["share=" + path for path in shares]
    if winsize:
        items.append("winsize=%d,%d" % (winsize.lines, winsize.columns))
    return b"".join(os.fsencode(item) + b"\0" for item in items)


def _member(name, mode, data, rdev=(0, 0)):
    """One file in the cpio format that Documentation/driver-api/early-userspace/buffer-format.rst describes."""
    name = name.encode() + b"\0"
    fields = [1, mode, 0, 0, 1, 0, len(data), 0, 0, rdev[0], rdev[1], len(name), 0]
    head = b"070701" + b"".join(b"%08X" % field for field in fields) + name
    head += bytes(-len(head) % 4)
    return head + data + bytes(-len(data) % 4)


def build(arch, spec):
    """The whole archive, as bytes."""
    with open(build_init(arch), "rb") as f:
        init = f.read()
    return (_member("dev", 0o040755, b"") + _member("dev/console", 0o020600, b"", (5, 1)) +
            _member("init", 0o100755, init) + _member("spec", 0o100600, spec) + _member("TRAILER!!!", 0, b""))
