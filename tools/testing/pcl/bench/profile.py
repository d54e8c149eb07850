# SPDX-License-Identifier: GPL-2.0
"""Where a row's instructions go: what `bench profile` prints, by the kernel's functions, two kernels side by side."""

import bisect
import collections
import os

import figures

# The number of the row's operations, the sampler's period, how many samples there were of each function.
Profile = collections.namedtuple("Profile", "operations period functions")
# A function with fewer samples on both kernels is not shown: chance has too large a part in it.
FEW = 20


class Symbols:
    """The functions of a kernel, from the System.map beside its image."""

    def __init__(self, image):
        self.starts, self.names = [], []
        with open(os.path.join(os.path.dirname(image), "System.map")) as f:
            for line in f:
                address, kind, name = line.split()
                if kind in "tTwW":
                    self.starts.append(int(address, 16))
                    self.names.append(name)

    def at(self, address):
        found = bisect.bisect_right(self.starts, address) - 1
        return self.names[found] if found >= 0 else "?"


def read(text, image):
    """Of what the program printed on that kernel."""
    symbols = Symbols(image)
    functions = collections.Counter()
    operations = period = None
    for line in text.splitlines():
        words = line.split()
        if words[:1] == ["profile"]:
            operations, period = float(words[1]), int(words[6])
            if int(words[8]):
                raise figures.Wrong("%s samples of the profile were lost" % words[8])
        elif words[:1] == ["at"]:
            functions[symbols.at(int(words[1], 16))] += int(words[2])
    return Profile(operations, period, functions)


def whole(profile):
    """All instructions of one operation."""
    return sum(profile.functions.values()) * profile.period / profile.operations


def table(stock, pcl):
    """Lines of words: a function, and its instructions for one operation on both kernels."""
    def per_operation(profile, name):
        return profile.functions[name] * profile.period / profile.operations

    names = set(stock.functions) | set(pcl.functions)
    rows = [(name, per_operation(stock, name), per_operation(pcl, name)) for name in names]
    rows.sort(key=lambda row: (min(row[1], row[2]) > 0, row[2] - row[1], row[0]))
    shown = [row for row in rows if max(stock.functions[row[0]], pcl.functions[row[0]]) >= FEW]
    return [["function", "stock", "PCL"]] + [[name, "%.1f" % a, "%.1f" % b] for name, a, b in shown] + \
        [["all, with the floor", "%.1f" % whole(stock), "%.1f" % whole(pcl)]]
