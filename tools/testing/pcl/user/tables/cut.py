#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Cut the tables of events and constraints out of a stock kernel tree, as C that a user-space compiler takes.

Usage: cut.py TREE >FILE. Nothing of the output is kept in the repository: it is made when the check runs. What is cut:
macros (of the three headers that the tables are written with, and of the files themselves), the two structs, the
flags, and every constant table of the kinds below, followed by an index of all by name.
"""

import os
import re
import sys

EVENTS = "arch/x86/events/"
HEADERS = ["arch/x86/include/asm/perf_event.h", "arch/x86/include/asm/msr-index.h", EVENTS + "perf_event.h"]
SOURCES = [EVENTS + "intel/core.c", EVENTS + "amd/core.c"]
DEFINE = re.compile(r"^[ \t]*#[ \t]*define[ \t](?:[^\n]*\\\n)*[^\n]*$", re.M)
TABLE = re.compile(r"^static (?:__initconst )?(?:const )?(struct event_constraint|struct extra_reg|u64) (\w+)\s*"
                   r"((?:\[\w*\]\s*)+)(?:__read_mostly)?\s*=\s*\{(.*?)^\};$", re.M | re.S)
KINDS = {"struct event_constraint": "constraints", "struct extra_reg": "extra"}


def read(tree, name):
    with open(os.path.join(tree, name)) as f:
        return re.sub(r"/\*.*?\*/", " ", f.read(), flags=re.S)


def struct(text, name):
    return re.search(r"^%s \{.*?^\};$" % re.escape(name), text, re.M | re.S).group(0)


def main():
    tree = sys.argv[1]
    texts = {name: read(tree, name) for name in HEADERS + SOURCES}
    for name in HEADERS:
        print("\n".join(DEFINE.findall(texts[name])))
    header = texts[HEADERS[-1]]
    for name in ("struct event_constraint", "enum extra_reg_type", "struct extra_reg"):
        print(struct(header, name))
    flags = re.findall(r"^PERF_ARCH\((\w+),\s*(\w+)\)", read(tree, EVENTS + "perf_event_flags.h"), re.M)
    print("enum { %s };" % ", ".join("PERF_X86_EVENT_%s = %s" % flag for flag in flags))

    index = []
    for name in SOURCES:
        print("\n".join(DEFINE.findall(texts[name])))
        for kind, table, shape, body in TABLE.findall(texts[name]):
            print("static const %s %s%s = {%s};" % (kind, table, shape, body))
            what = KINDS.get(kind) or ("generic" if shape.count("[") == 1 else "cache")
            index.append((what, table))
    for what in ("constraints", "extra", "generic", "cache"):
        print("#define STOCK_%s(X) %s" % (what.upper(), " ".join("X(%s)" % table for kind, table in index
                                                                if kind == what)))
    return 0


sys.exit(main())
