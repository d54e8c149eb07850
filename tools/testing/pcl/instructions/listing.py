# SPDX-License-Identifier: GPL-2.0
"""A disassembly: functions as graphs of instructions, of which those that matter have a name.

What a line of an architecture means is said by its module `isa`:

read(line)           the Instruction of the line, or None: it is none, or does nothing
callee(line)         (place, name) of a relocation that names whom a call goes to, or None
finish(function)     all of the function has been read
OBJECTS              sources in whose objects an edit of a header of the driver shows
OUTSIDE              where that of another header shows: its name, and the path of the one source
"""

import re
import subprocess

HEAD = re.compile(r"^([0-9a-f]+) <([^>]+)>:$")


class Instruction:
    """@at: address of what a branch can go to, and place there. @optional: it may be off. @to: an address."""

    def __init__(self, at, text, optional=False):
        self.at = at
        self.text = text
        self.optional = optional
        self.names = []
        self.to = None
        self.ends = False           # nothing of this function comes after it, unless it is off


class Function:
    """Instructions in the order of their addresses, and who comes after whom."""

    def __init__(self, name):
        self.name = name
        self.code = []
        self.callees = {}           # of an object that is not linked: what a call's relocation names, by its place

    def successors(self):
        """For each instruction the indices of those that may come next; the length stands for a way out."""
        first = {}
        for index, one in enumerate(self.code):
            first.setdefault(one.at[0], index)
        after = []
        for index, one in enumerate(self.code):
            next_ones = []
            if not one.ends or one.optional:
                next_ones.append(index + 1)
            if one.to is not None:
                # A jump out of the function is a call that does not come back.
                next_ones.append(first.get(one.to, len(self.code)))
            after.append(next_ones)
        return after

    def names(self):
        return {name for one in self.code for name in one.names}


def disassemble(isa, prefix, path):
    """Functions of an object or image, by name. Of equal names, which are local to files, each has its turn."""
    command = [prefix + "objdump", "-dr", path]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        functions = list(parse(isa, process.stdout))
    if process.returncode:
        raise RuntimeError("%s failed" % " ".join(command))
    return functions


def parse(isa, lines):
    function = None
    for line in lines:
        head = HEAD.match(line)
        if head:
            if function:
                isa.finish(function)
                yield function
            function = Function(head.group(2))
            continue
        if not function:
            continue
        callee = isa.callee(line)
        one = None if callee else isa.read(line.rstrip("\n"))
        if callee:
            function.callees[callee[0]] = callee[1]
        elif one:
            function.code.append(one)
    if function:
        isa.finish(function)
        yield function
