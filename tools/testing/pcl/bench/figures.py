# SPDX-License-Identifier: GPL-2.0
"""The figures of a run: parsed, held against another run's, joined for stock and PCL, kept in figures.md."""

import math
import os
import re

# All that any machine has; a run has those of its own.
STATS = ("insn", "rdmsr", "wrmsr", "rdpmc", "lvtpc", "ipi", "locked", "rep-bytes", "rdpcr", "wrpcr", "rdpic",
         "wrpic", "atomic", "traps", "bytes")
SECTIONS = ("small", "distro", "sparc64", "short", "short-sparc64")
HERE = os.path.dirname(os.path.realpath(__file__))
KEPT = os.path.join(HERE, "figures.md")
# By how much two runs of a kernel may differ: of what was measured, the floor in it, and a little. Pages are whole.
AGREE, AGREE_FLOOR, AGREE_FLOOR_BYTES = 0.005, 2, 16
# REP strings are what ticks in a row bring: they copy and clear.
AGREE_REP = 0.02
# A tick also does what other timers left for it.
AGREE_TICK = 0.01
# Where traps of windows and of the TLB come is another matter in each boot.
UNEQUAL = ("traps",)
# By how much a row may exceed its kept figure.
GROWTH, GROWTH_FLOOR = 0.02, 5


class Wrong(Exception):
    """Figures that prove nothing; the text says which and why."""


class Run:
    """What the program printed in one boot: {row: {stat: figure above the floor}}, in its order; whole: with it."""

    def __init__(self, text, what):
        self.rows, self.whole, self.limits, told = {}, {}, {}, None
        for line in text.splitlines():
            words = line.split()
            if words[:1] == ["figure"]:
                self.rows.setdefault(words[1], {})[words[2]] = float(words[3]) - float(words[4])
                self.whole[words[1], words[2]] = float(words[3])
            elif words[:1] == ["limit"]:
                self.limits[words[1], words[2]] = float(words[3])
            elif words[:1] == ["rows"]:
                told = int(words[1])
        if told is None or told != len(self.rows):
            raise Wrong("%s: %s rows were announced, %d printed" % (what, told, len(self.rows)))


def agreed(first, second, what, part):
    """One run out of two of the same kernel, which must agree, up to that part of what was measured."""
    wrong = []
    for name, stats in first.rows.items():
        for stat, a in stats.items():
            b = second.rows.get(name, {}).get(stat, math.inf)
            floor = AGREE_FLOOR_BYTES if stat == "bytes" else AGREE_FLOOR
            most = max(part, AGREE_TICK if "/tick" in name else AGREE_REP if stat == "rep-bytes" else 0)
            if stat not in UNEQUAL and abs(a - b) > most * first.whole[name, stat] + floor:
                wrong.append("%s, two boots: %s %s is %s and %s" % (what, name, stat, number(a), number(b)))
            stats[stat] = (a + b) / 2
    if wrong or set(first.rows) != set(second.rows):
        raise Wrong("\n".join(wrong or [what + ", two boots: not the same rows"]))
    return first


class Row:
    """One row of both kernels."""

    def __init__(self, name, stock, pcl, limits, whole):
        self.name, self.stock, self.pcl = name, stock, pcl
        self.stat = "bytes" if "bytes" in stock else "insn"
        self.unused = name.startswith("unused/")
        self.whole = whole[name, self.stat]         # PCL's, with the floor in it
        self.limits = {stat: limits[name, stat] for stat in STATS if (name, stat) in limits}

    def limit(self, stat):
        """Neither has any, or both have what cannot be avoided."""
        least = self.limits.get(stat, 0)
        near = 0.5 if stat in ("insn", "bytes") else 0.005
        return abs(self.stock[stat] - least) < near and abs(self.pcl[stat] - least) < near

    def ratio(self):
        """Of instructions or bytes; None where there is nothing to divide by."""
        stock, pcl = self.stock[self.stat], self.pcl[self.stat]
        return max(pcl, 0) / stock if stock >= 0.5 and not self.limit(self.stat) else None

    def verdict(self):
        if self.limit(self.stat):
            return "limit"
        return "%.2f" % self.ratio() if self.ratio() is not None else "inf"


def joined(stock, pcl):
    """The rows of both; one that either lacks is an error."""
    missing = set(stock.rows) ^ set(pcl.rows)
    if missing:
        raise Wrong("only one kernel has the row " + ", ".join(sorted(missing)))
    return [Row(name, stock.rows[name], pcl.rows[name], stock.limits, pcl.whole) for name in stock.rows]


def geometric_mean(rows, unused=False):
    """Of the instruction rows. A row at or below its floor is a hundredth: it must not make the mean nothing."""
    ratios = [max(row.ratio(), 0.01) for row in rows
              if row.stat == "insn" and row.unused == unused and row.ratio() is not None]
    return math.exp(sum(map(math.log, ratios)) / len(ratios)) if ratios else float("nan")


def number(value):
    """Whole instructions; register accesses may be parts of one."""
    return "%d" % round(value) if abs(value - round(value)) < 0.005 or abs(value) >= 100 else "%.2f" % value


# ---- the figures that the repository keeps ----

HEAD = """# Figures

What `make bench` found last; written by `run --update`, read by `run --check`. Kernel instructions above the floor, in
the rows `memory/` bytes. A ratio is that of PCL's figure to stock's of the same run.
"""


def read_kept(section):
    """{row: (stock, pcl)} of a section; empty where there is none."""
    kept, within = {}, False
    if not os.path.exists(KEPT):
        return kept
    with open(KEPT) as f:
        for line in f:
            if line.startswith("## "):
                within = line[3:].strip() == section
            match = re.match(r"\| `([^`]+)` \| (\S+) \| (\S+) \|", line)
            if within and match:
                kept[match.group(1)] = float(match.group(2)), float(match.group(3))
    return kept


def sections():
    """{section: its text, without the heading}."""
    if not os.path.exists(KEPT):
        return {}
    with open(KEPT) as f:
        parts = re.split(r"(?m)^## (.*)\n", f.read())
    return dict(zip(parts[1::2], parts[2::2]))


def write_kept(section, rows, about):
    """Replaces one section."""
    found = sections()
    lines = ["", about, "", "| row | stock | PCL | ratio |", "| --- | --- | --- | --- |"]
    for row in rows:
        lines.append("| `%s` | %s | %s | %s |" % (row.name, number(row.stock[row.stat]), number(row.pcl[row.stat]),
                                                row.verdict()))
    lines += ["", "Geometric mean of the instruction rows: %.3f." % geometric_mean(rows), ""]
    found[section] = "\n".join(lines)
    with open(KEPT, "w") as f:
        f.write(HEAD + "".join("\n## %s\n%s\n" % (name, text.rstrip("\n"))
                               for name, text in sorted(found.items(), key=order)))


def order(item):
    return SECTIONS.index(item[0])


def grown(row, kept):
    """Why a row has grown against its kept figures, None: it has not."""
    stock, pcl = kept
    now = row.pcl[row.stat]
    if row.stat == "insn" and stock >= 0.5 and row.stock["insn"] >= 0.5:
        allowed = row.stock["insn"] * (pcl / stock)
        allowed += GROWTH * abs(allowed) + GROWTH_FLOOR
    else:
        allowed = pcl + GROWTH * abs(pcl) + GROWTH_FLOOR
    # A figure is no surer than two boots agree on what was measured.
    if now <= allowed + AGREE * row.whole:
        return None
    return "%s, with %s on stock; kept are %s and %s" % (number(now), number(row.stock[row.stat]), number(pcl),
                                                         number(stock))
