# SPDX-License-Identifier: GPL-2.0
"""
What sources of the kernel say, where the code that became of them does not tell. Which of it is compiled, the preprocessor
decides, and is not known here: conditions that do not ask for the configuration are refused.
"""

import re


def said(text):
    """A source without comments, with one space for any white space."""
    text = re.sub(r"/\*.*?\*/|//[^\n]*", " ", text.replace("\\\n", " "), flags=re.S)
    return " ".join(text.split())


def lacking(texts, name, text):
    """Of the lines of @texts about the file @name what @text, its source, does not say, or not as often."""
    if re.search(r"^[ \t]*#[ \t]*(el)?if\b(?!.*\b(defined|IS_ENABLED|CONFIG_\w+)\b)", text, re.M):
        yield "%s has parts that are off" % name
    for file, wanted, times in texts:
        found = said(text).count(wanted)
        if file == name and found != times:
            yield "%s says %d times, not %d: %s" % (name, found, times, wanted)
