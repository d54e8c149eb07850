# SPDX-License-Identifier: GPL-2.0
"""SPARC V9 code.

A name is one of: "rd pcr", "wr pcr", "rd pic", "wr pic", "ld ASI_PIC", "st ASI_PIC", "ret", "call FUNCTION". The
instruction in the delay slot of a branch, call or return is done before the change of place, so it stands before it
here; one that a branch annuls unless it is taken may be off, which errs to the safe side.
"""

import re

from listing import Instruction

OBJECTS = ("hardware.c",)

LINE = re.compile(r"^\s*([0-9a-f]+):\t(?:[0-9a-f]{2} ){4}\t(.*?)\s*$")
RELOCATION = re.compile(r"^\s+([0-9a-f]+): R_SPARC_WDISP30\s+(\S+)")
NAMES = ((re.compile(r"^rd %(pcr|pic),"), "rd %s"), (re.compile(r"^wr .*, %(pcr|pic)$"), "wr %s"),
         (re.compile(r"^ld\w+ \[.*\] #(ASI_PIC),"), "ld %s"), (re.compile(r"^st\w+ .*\] #(ASI_PIC)$"), "st %s"),
         (re.compile(r"^call [0-9a-f]+ <([^+>]+)>"), "call %s"), (re.compile(r"^(ret)(?:l|urn .*)?$"), "%s"))
BRANCH = re.compile(r"^(?:b(?!clr|set|tog|tst|mask|shuffle)|fb)([a-z]*)(,a)?(?:,p[nt])? .*?\b([0-9a-f]+) <")
ALWAYS = ("", "a")


def read(line):
    found = LINE.match(line)
    if not found:
        return None
    one = Instruction((int(found.group(1), 16), 0), re.sub(r"\s+", " ", found.group(2)))
    for pattern, name in NAMES:
        named = pattern.match(one.text)
        if named:
            one.names.append(name % named.group(1))
    return one


def callee(line):
    found = RELOCATION.match(line)
    return ((int(found.group(1), 16), 0), found.group(2)) if found else None


def is_transfer(one):
    """A change of place: it has a delay slot."""
    return bool(BRANCH.match(one.text)) or one.text.startswith(("call ", "jmp ", "ret"))


def swapped(code):
    """The instructions in the order of what they do."""
    index = 0
    while index < len(code):
        one, delayed = code[index], code[index + 1] if index + 1 < len(code) else None
        branch = BRANCH.match(one.text)
        if not is_transfer(one) or not delayed or is_transfer(delayed):
            yield one
            index += 1
            continue
        if branch and branch.group(2):
            # Annulled for ever if the branch is one, else unless it is taken.
            delayed.optional = True
            if branch.group(1) in ALWAYS:
                delayed.names = []
        # Who comes to the one comes to the other.
        one.at, delayed.at = (one.at[0], 1), (one.at[0], 0)
        yield delayed
        yield one
        # A call that gives the window back does not return here, nor one that hands its own caller on.
        if one.text.startswith("call ") and delayed.text.startswith(("restore", "mov %g1, %o7")):
            one.names.append("ret")
        one.ends = one.text.startswith("jmp ") or "ret" in one.names
        index += 2


def finish(function):
    for one in function.code:
        if one.at in function.callees and one.text.startswith("call "):
            one.names = ["call " + function.callees[one.at]]
    function.code = list(swapped(function.code))
    for one in function.code:
        branch = BRANCH.match(one.text)
        if branch and branch.group(1) != "n":
            one.to = int(branch.group(3), 16)
            one.ends = branch.group(1) in ALWAYS
