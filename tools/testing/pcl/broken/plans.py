# SPDX-License-Identifier: GPL-2.0
"""The boots of ../selftests/plans: which flags one has, and which architecture it is of."""

import functools
import os

HERE = os.path.dirname(os.path.realpath(__file__))
SELFTESTS = os.path.join(os.path.dirname(HERE), "selftests")
ARCHITECTURES = ("x86_64", "sparc64")


@functools.cache
def plans():
    """[name, CPU, processors, flags, programs] of each."""
    with open(os.path.join(SELFTESTS, "plans")) as f:
        return [line.split() for line in f if line.strip() and not line.startswith("#")]


def flags_of(plan):
    return next((flags.split(",") for name, _, _, flags, _ in plans() if name == plan), [])


def arch_of(plan):
    return "sparc64" if "sparc64" in flags_of(plan) else "x86_64"
