#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Cut the tables of SPARC's events and registers out of a stock kernel tree, as C that a user-space compiler takes.

Usage: cut.py TREE >FILE. Nothing of the output is kept in the repository: it is made when the check runs. What is cut:
the macros of asm/pcr.h and those that the tables use, the structs, every map of events and caches, and what each chip's
struct sparc_pmu says in numbers; then an index of them, by the chip's name there.
"""

import os
import re
import sys

DRIVER = "arch/sparc/kernel/perf_event.c"
HEADER = "arch/sparc/include/asm/pcr.h"
DEFINE = re.compile(r"^[ \t]*#[ \t]*define[ \t](?:PCR_|PIC_|C\(|CACHE_OP_|SPARC_PMU_|MAX_PERIOD)[^\n]*$", re.M)
MAP = re.compile(r"^static const (struct perf_event_map|cache_map_t) (\w+)(\[\])? = \{.*?^\};$", re.M | re.S)
PMU = re.compile(r"^static const struct sparc_pmu (\w+)_pmu = \{(.*?)^\};$", re.M | re.S)
CODE = re.compile(r"\.(?:event_map|read_pmc|write_pmc)\s*=[^,]*,")


def read(tree, name):
    with open(os.path.join(tree, name)) as f:
        return re.sub(r"/\*.*?\*/", " ", f.read(), flags=re.S)


def main():
    header, driver = read(sys.argv[1], HEADER), read(sys.argv[1], DRIVER)
    print("\n".join(DEFINE.findall(header) + DEFINE.findall(driver)))
    print(re.search(r"^struct perf_event_map \{.*?^\};$", driver, re.M | re.S).group(0))
    print(re.search(r"^typedef struct perf_event_map cache_map_t.*?;$", driver, re.M | re.S).group(0))
    print(re.search(r"^struct sparc_pmu \{.*?^\};$", driver, re.M | re.S).group(0))
    for match in MAP.finditer(driver):
        print(match.group(0))
    names = []
    for name, body in PMU.findall(driver):
        generic = re.search(r"\.event_map\s*=\s*(\w+)_event_map", body).group(1)
        print("static const struct sparc_pmu %s_pmu = {%s};" % (name, CODE.sub("", body)))
        names.append((name, generic))
    print("#define STOCK_PMUS(X) %s" % " ".join("X(%s, %s_perfmon_event_map)" % name for name in names))
    return 0


sys.exit(main())
