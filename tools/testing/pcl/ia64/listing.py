# SPDX-License-Identifier: GPL-2.0
"""A disassembly of IA-64 code: functions as graphs of instructions, of which those that matter have a name.

A name is one of: "=pmc", "pmc=", "=pmd", "pmd=" (a move from or to such a register), "srlz.d", "srlz.i", "pmv=",
"dcr=", "ret", "call FUNCTION", and for changes of the PSR's gates "rsm pp", "ssm up", "sum up", "rum up" ... An
instruction can have several: with a register whose number is known to be 0, "=pmc" is "=pmc[0]" as well, and "pmc=" is
"pmc[0]=".
"""

import re
import subprocess

HEAD = re.compile(r"^([0-9a-f]+) <([^>]+)>:$")
LINE = re.compile(r"^\s*([0-9a-f]+):\t(?:[0-9a-f]{2} )+\s*\t?\s*(?:\[([A-Z]{3})\])?\s*(?:\((p\d+)\))?\s*(.*?)(;;)?\s*$")
RELOCATION = re.compile(r"^\s+([0-9a-f]+): PCREL21B\S*\s+(\S+)")
GATES = (("up", 1 << 2), ("pp", 1 << 21))
MOVES = ((re.compile(r"^mov r\d+=(pmc|pmd)\["), "=%s"), (re.compile(r"^mov (pmc|pmd)\[\w+\]="), "%s="),
         (re.compile(r"^mov cr\.(pmv|dcr)="), "%s="))


class Instruction:
    """@at: bundle and slot. @optional: a predicate may turn it off. @to: where it branches to, by bundle."""

    def __init__(self, at, text, optional):
        self.at = at
        self.text = text
        self.optional = optional
        self.names = names_of(text)
        self.to = None
        self.ends = False           # nothing of this function comes after it, unless it is off
        branch = re.match(r"^br\.(\S+) ([0-9a-f]+) <", text) or re.match(r"^br\.(few|many)\S* ([0-9a-f]+)", text)
        if text.startswith("br.ret"):
            self.names.append("ret")
            self.ends = True
        elif branch and not text.startswith("br.call"):
            self.to = int(branch.group(2), 16)
            # A counted loop's branch falls through at its end.
            self.ends = not text.startswith(("br.cloop", "br.ctop", "br.wtop", "br.cexit"))
        call = re.match(r"^br(?:l)?\.call\S* b\d=[0-9a-f]+ <([^+>]+)>", text)
        if call:
            self.names.append("call " + call.group(1))


def names_of(text):
    for pattern, name in MOVES:
        found = pattern.match(text)
        if found:
            return [name % found.group(1)]
    if text.startswith("srlz.d"):
        return ["srlz.d"]
    if text.startswith("srlz.i"):
        return ["srlz.i", "srlz.d"]         # it does what the other does
    mask = re.match(r"^(rsm|ssm|rum|sum) (0x[0-9a-f]+)", text)
    if mask:
        return ["%s %s" % (mask.group(1), gate) for gate, bit in GATES if int(mask.group(2), 16) & bit]
    return []


ZERO = re.compile(r"^(?:mov|addl|adds) (r\d+)=(?:r0|0|0,r0)$")
TARGETS = re.compile(r"^[a-z][\w.]* ((?:r\d+)(?:, ?r\d+)?)=")
INDEXED = re.compile(r"\bpmc\[(r\d+)\]")


class Function:
    """Instructions in the order of their addresses, and who comes after whom."""

    def __init__(self, name):
        self.name = name
        self.code = []

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

    def name_zeros(self):
        """A register that is set once in the function, to 0, is 0 where it is used."""
        zeros, set_otherwise = set(), set()
        for one in self.code:
            zero, target = ZERO.match(one.text), TARGETS.match(one.text)
            if zero and not one.optional and zero.group(1) not in zeros:
                zeros.add(zero.group(1))
            elif target:
                set_otherwise.update(target.group(1).replace(" ", "").split(","))
        for one in self.code:
            used = INDEXED.search(one.text)
            if used and (used.group(1) == "r0" or used.group(1) in zeros - set_otherwise):
                one.names.append("=pmc[0]" if one.names[0] == "=pmc" else "pmc[0]=")

    def names(self):
        return {name for one in self.code for name in one.names}


def disassemble(prefix, path):
    """Functions of an object or image, by name. Of equal names, which are local to files, each has its turn."""
    command = [prefix + "objdump", "-dr", path]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        functions = list(parse(process.stdout))
    if process.returncode:
        raise RuntimeError("%s failed" % " ".join(command))
    return functions


def parse(lines):
    function = None
    callees = {}            # of an object that is not linked: what a call's relocation names, by bundle and slot
    for line in lines:
        head = HEAD.match(line)
        if head:
            if function:
                function.name_zeros()
                yield function
            function = Function(head.group(2))
            callees = {}
            continue
        relocation = RELOCATION.match(line)
        if relocation:
            address = int(relocation.group(1), 16)
            callees[address & ~15, address & 15] = relocation.group(2)
            continue
        found = LINE.match(line.rstrip("\n"))
        if not found or not function:
            continue
        address = int(found.group(1), 16)
        bundle, slot = address & ~15, (0, 6, 12).index(address & 15)
        text = re.sub(r"\s+", " ", found.group(4))
        if text and not text.startswith("nop"):
            one = Instruction((bundle, slot), text, found.group(3) is not None)
            if (bundle, slot) in callees and text.startswith(("br.call", "brl.call")):
                one.names = ["call " + callees[bundle, slot]]
            function.code.append(one)
    if function:
        function.name_zeros()
        yield function
