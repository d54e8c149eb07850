# SPDX-License-Identifier: GPL-2.0
"""IA-64 code: bundles of three instructions.

A name is one of: "=pmc", "pmc=", "=pmd", "pmd=", "ibr=", "dbr=", "=psr" (a move from or to such a register; "=psr" is of
the whole), "srlz.d", "srlz.i", "pmv=", "dcr=", "ret", "call FUNCTION", and for changes of the PSR's gates "rsm pp",
"ssm up", "sum up", "rum up" ... An instruction can have several: with a register whose number is known to be 0, "=pmc"
is "=pmc[0]" as well, and "pmc=" is "pmc[0]=".
"""

import re

from listing import Instruction

OBJECTS = ("regs.c", "user.c")
OUTSIDE = {"asm/switch_to.h": "kernel/sched/core.c"}

LINE = re.compile(r"^\s*([0-9a-f]+):\t(?:[0-9a-f]{2} )+\s*\t?\s*(?:\[([A-Z]{3})\])?\s*(?:\((p\d+)\))?\s*(.*?)(;;)?\s*$")
RELOCATION = re.compile(r"^\s+([0-9a-f]+): PCREL21B\S*\s+(\S+)")
GATES = (("up", 1 << 2), ("i", 1 << 14), ("pp", 1 << 21))
MOVES = ((re.compile(r"^mov r\d+=(pmc|pmd)\["), "=%s"), (re.compile(r"^mov (pmc|pmd|ibr|dbr)\[\w+\]="), "%s="),
         (re.compile(r"^mov r\d+=(psr)$"), "=%s"), (re.compile(r"^mov cr\.(pmv|dcr)="), "%s="))


def read(line):
    found = LINE.match(line)
    if not found:
        return None
    text = re.sub(r"\s+", " ", found.group(4))
    if not text or text.startswith("nop"):
        return None
    address = int(found.group(1), 16)
    one = Instruction((address & ~15, (0, 6, 12).index(address & 15)), text, found.group(3) is not None)
    one.names = names_of(text)
    branch = re.match(r"^br\.(\S+) ([0-9a-f]+) <", text) or re.match(r"^br\.(few|many)\S* ([0-9a-f]+)", text)
    if text.startswith("br.ret"):
        one.names.append("ret")
        one.ends = True
    elif branch and not text.startswith("br.call"):
        one.to = int(branch.group(2), 16)
        # A counted loop's branch falls through at its end.
        one.ends = not text.startswith(("br.cloop", "br.ctop", "br.wtop", "br.cexit"))
    call = re.match(r"^br(?:l)?\.call\S* b\d=[0-9a-f]+ <([^+>]+)>", text)
    if call:
        one.names.append("call " + call.group(1))
    return one


def callee(line):
    found = RELOCATION.match(line)
    if not found:
        return None
    address = int(found.group(1), 16)
    return (address & ~15, address & 15), found.group(2)


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


def finish(function):
    """Calls of an object get their names; a register that the function sets to 0 alone is 0 where it is used."""
    zeros, set_otherwise = set(), set()
    for one in function.code:
        if one.at in function.callees and one.text.startswith(("br.call", "brl.call")):
            one.names = ["call " + function.callees[one.at]]
    for one in function.code:
        zero, target = ZERO.match(one.text), TARGETS.match(one.text)
        if zero and not one.optional:
            zeros.add(zero.group(1))
        elif target:
            set_otherwise.update(target.group(1).replace(" ", "").split(","))
    for one in function.code:
        used = INDEXED.search(one.text)
        if used and (used.group(1) == "r0" or used.group(1) in zeros - set_otherwise):
            one.names.append("=pmc[0]" if one.names[0] == "=pmc" else "pmc[0]=")
