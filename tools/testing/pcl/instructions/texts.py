# SPDX-License-Identifier: GPL-2.0
"""
What sources of the kernel say, where the code that became of them does not tell. Which of it is compiled, the preprocessor
decides, and is not known here: no conditions may be there but #ifdef or #ifndef of an option or of __ASSEMBLY__, and, as
the first, the one that a header has around it.
"""

import re

CONDITION = re.compile(r"^[ \t]*#[ \t]*(?:el)?if.*", re.M)
USUAL = re.compile(r"#ifdef CONFIG_\w+|#ifndef (CONFIG_\w+|__ASSEMBLY__)")
AROUND = re.compile(r"#ifndef _ASM_\w+_H")


def code(text):
    """A source without comments."""
    return re.sub(r"/\*.*?\*/|//[^\n]*", " ", text.replace("\\\n", " "), flags=re.S)


def lacking(texts, name, text):
    """Of the lines of @texts about the file @name what @text, its source, does not say, or not as often."""
    text = code(text)
    said = " ".join(text.split())
    for number, line in enumerate(CONDITION.findall(text)):
        if not USUAL.fullmatch(line.strip()) and (number or not AROUND.fullmatch(line.strip())):
            yield "%s may have parts that are off: %s" % (name, line.strip())
    for file, wanted, times in texts:
        found = said.count(wanted)
        if file == name and found != times:
            yield "%s says %d times, not %d: %s" % (name, found, times, wanted)
