# SPDX-License-Identifier: GPL-2.0
"""The reasons for refusals: the table in the user header, the places that refuse, the rows that produce them."""

import functools
import glob
import os
import re

HERE = os.path.dirname(os.path.realpath(__file__))
TOP = os.path.realpath(os.path.join(HERE, "../../../.."))
HEADER = os.path.join(TOP, "include/uapi/linux/pcl.h")
SOURCES = ("kernel/events", "arch/x86/events", "arch/sparc/events", "arch/ia64/events", "include/linux/perf_event.h")
# Helpers, and what is no refusal.
NOT_REASONS = {"NONE", "MAX", "NUMBER"}
# Characters of what a list that excuses something says for it.
SHORTEST_WHY = 10


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
    """{what: why} of a list beside this file: `unreachable`, `unbuilt`, `bare-rows` or `otherwise`."""
    result = {}
    with open(os.path.join(HERE, name)) as f:
        for line in f:
            words = line.split(None, 1)
            if words and not line.startswith("#"):
                result[words[0]] = words[1].strip() if len(words) > 1 else ""
    return result


def otherwise():
    """{row: (stock's answer, PCL's, its reason, why)}; what a line lacks is empty."""
    return {name: tuple((line.split(None, 3) + [""] * 4)[:4]) for name, line in listed("otherwise").items()}


def otherwise_wrong(line):
    """What is wrong with a line of `otherwise` itself."""
    stock, pcl, reason, why = line
    if stock == pcl:
        yield "both answer %s" % pcl
    if reason not in table():
        yield "%s is no reason" % (reason or "nothing")
    if len(why) < SHORTEST_WHY:
        yield "it does not say why"


def unreachable():
    """{reason: why no row can produce it}."""
    return listed("unreachable")


def elsewhere():
    """{reason: (the user-space test that gives it, as `unreachable` says; whether a row of that test names it)}."""
    result = {}
    for name, why in unreachable().items():
        match = re.search(r"user/(\w+)_test\.c gives it", why)
        if match:
            result[name] = (match.group(1), name in _given(match.group(1)))
    return result


@functools.cache
def _given(noun):
    """Reasons that a test of user/ wants to be given: by a row, or by a check of one event."""
    found = set()
    for path in glob.glob(os.path.join(HERE, "../user", noun + "_*.[ch]")):
        text = _text(path)
        if not re.fullmatch(r"%s_(rows|values\w*)\.h" % noun, os.path.basename(path)):
            text = "\n".join(re.findall(r"\bCHECK_EQ\(.*, (.*)\);", text))
        found.update(re.findall(r"\bPCL_REASON_([A-Z0-9_]+)\b", text))
    return found


def _text(path):
    with open(path) as f:
        return _without_comments(f.read())
