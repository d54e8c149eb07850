# SPDX-License-Identifier: GPL-2.0
"""The reasons for refusals: the table in the user header, the places that refuse, the rows that produce them."""

import glob
import os
import re

HERE = os.path.dirname(os.path.realpath(__file__))
TOP = os.path.realpath(os.path.join(HERE, "../../../.."))
HEADER = os.path.join(TOP, "include/uapi/linux/pcl.h")
SOURCES = ("kernel/events", "arch/x86/events", "arch/sparc/events", "arch/ia64/events", "include/linux/perf_event.h")
# Helpers, and what is no refusal.
NOT_REASONS = {"NONE", "MAX", "NUMBER"}


def _rows(pattern):
    with open(HEADER) as f:
        text = f.read().replace("\\\n", "")
    return re.findall(r"\bX\(" + pattern, text[text.index("#define PCL_REASONS_ATTR"):])


def table():
    """The names of all reasons, in the header's order."""
    return _rows(r"([A-Z0-9_]+),\s")


def texts():
    """{text: the names of the reasons that say it}."""
    result = {}
    for name, text in _rows(r'([A-Z0-9_]+),[^"]*"([^"]*)"\)'):
        result.setdefault(text, []).append(name)
    return result


def _files():
    for source in SOURCES:
        path = os.path.join(TOP, source)
        if os.path.isfile(path):
            yield path
        for directory, _, names in os.walk(path):
            for name in sorted(names):
                if name.endswith((".c", ".h")) and not name.endswith("_test.c"):
                    yield os.path.join(directory, name)


def _without_comments(text):
    return re.sub(r"/\*.*?\*/", lambda match: "\n" * match.group(0).count("\n"), text, flags=re.S)


def sites():
    """{reason: [file:line]}: every place that names it."""
    result = {}
    for path in _files():
        with open(path) as f:
            text = _without_comments(f.read())
        for number, line in enumerate(text.split("\n"), 1):
            for name in re.findall(r"\bPCL_REASON_([A-Z0-9_]+)", line):
                if name not in NOT_REASONS and not name.startswith("PART_"):
                    result.setdefault(name, []).append("%s:%d" % (os.path.relpath(path, TOP), number))
    return result


def listed(name):
    """{what: why} of a list beside this file: `unreachable`, `unbuilt` or `bare-rows`."""
    result = {}
    with open(os.path.join(HERE, name)) as f:
        for line in f:
            words = line.split(None, 1)
            if words and not line.startswith("#"):
                result[words[0]] = words[1].strip() if len(words) > 1 else ""
    return result


def unreachable():
    """{reason: why no row can produce it}."""
    return listed("unreachable")


def elsewhere():
    """{reason: (the user-space test that gives it, as `unreachable` says; whether a row of that test names it)}."""
    result = {}
    for name, why in unreachable().items():
        match = re.search(r"user/(\w+)_test\.c gives it", why)
        if match:
            files = glob.glob(os.path.join(HERE, "../user", match.group(1) + "_*.[ch]"))
            result[name] = (match.group(1), any(re.search(r"\bPCL_REASON_%s\b" % name, _text(path)) for path in files))
    return result


def _text(path):
    with open(path) as f:
        return _without_comments(f.read())
