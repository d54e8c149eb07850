#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""List what a header of the kernel's ABI defines: items.py CC [ARGUMENT...] -- HEADER

Prints one line of C for each thing, to be expanded by the program that includes it:

	VALUE(name)		a macro or an enumerator
	SIZE(struct tag)	also of unions and enums
	MEMBER(struct tag, member), FLEXIBLE(struct tag, member), BITS(struct tag, member)

Nothing is listed by hand: macros come from the preprocessor, all else from its output, read by a small parser that
stops at whatever it does not understand.
"""

import re
import subprocess
import sys


def preprocess(cc, include, *flags):
    source = "#include <%s>\n" % include
    return subprocess.run([*cc, *flags, "-E", "-xc", "-"], input=source, text=True, check=True,
                          stdout=subprocess.PIPE).stdout


def own_text(text, include):
    """The lines that stem from the header itself, without those of headers it includes."""
    own, lines = False, []
    for line in text.splitlines():
        marker = re.match(r'# \d+ "(.*?)"', line)
        if marker:
            own = marker.group(1).endswith(include)
        elif own:
            lines.append(line)
    return "\n".join(lines)


def own_macros(cc, include):
    """Macros that the header defines, seen as the preprocessor passes (-dD), guards left out."""
    names = []
    for line in own_text(preprocess(cc, include, "-dD"), include).splitlines():
        match = re.match(r"#define (\w+)(\()?\s*(.*)", line)
        if not match:
            continue
        name, parameters, body = match.groups()
        if parameters:
            if name != "PERF_MEM_S":
                sys.exit("items.py: a function-like macro that no test knows: %s" % name)
        elif body:
            names.append(name)
    return names


class Parser:
    """Declarations of enums, structs and unions, as a header of the ABI has them."""

    def __init__(self, text):
        self.tokens = re.findall(r"\w+|<<|[^\s\w]", text)
        self.at = 0
        self.items = []

    def peek(self):
        return self.tokens[self.at] if self.at < len(self.tokens) else None

    def next(self):
        token = self.peek()
        self.at += 1
        return token

    def expect(self, token):
        got = self.next()
        if got != token:
            sys.exit("items.py: %r where %r was expected, before: %s"
                     % (got, token, " ".join(self.tokens[self.at:self.at + 12])))

    def skip_to(self, *stops):
        """Skip an expression; parentheses in it nest."""
        depth = 0
        while depth or self.peek() not in stops:
            token = self.next()
            depth += (token == "(") - (token == ")")

    def parse(self):
        while self.peek() is not None:
            kind = self.next()
            if kind == "enum":
                self.enum()
            elif kind in ("struct", "union"):
                tag = "%s %s" % (kind, self.next())
                self.items.append("SIZE(%s)" % tag)
                self.members(tag)
            else:
                sys.exit("items.py: %r starts no declaration that this parser knows" % kind)
            self.expect(";")
        return self.items

    def enum(self):
        if self.peek() != "{":
            self.items.append("SIZE(enum %s)" % self.next())
        self.expect("{")
        while self.peek() != "}":
            self.items.append("VALUE(%s)" % self.next())
            self.skip_to(",", "}")
            if self.peek() == ",":
                self.next()
        self.expect("}")

    def members(self, tag):
        self.expect("{")
        while self.peek() != "}":
            if self.peek() in ("struct", "union") and self.tokens[self.at + 1] == "{":
                self.next()
                self.members(tag)           # anonymous: its members are the outer one's
            else:
                self.declarators(tag)
            self.expect(";")
        self.expect("}")

    def declarators(self, tag):
        if self.next() in ("struct", "union", "enum", "unsigned"):
            self.next()
        while True:
            name = self.next()
            if self.peek() == ":":
                self.items.append("BITS(%s, %s)" % (tag, name))
                self.skip_to(",", ";")
            elif self.peek() == "[" and self.tokens[self.at + 1] == "]":
                self.items.append("FLEXIBLE(%s, %s)" % (tag, name))
                self.skip_to(",", ";")
            else:
                self.items.append("MEMBER(%s, %s)" % (tag, name))
                self.skip_to(",", ";")
            if self.peek() == ";":
                return
            self.next()


def main():
    separator = sys.argv.index("--")
    cc, include = sys.argv[1:separator], sys.argv[separator + 1]
    items = Parser(own_text(preprocess(cc, include), include)).parse()
    items += ["VALUE(%s)" % name for name in own_macros(cc, include)]
    if len(items) < 400:
        sys.exit("items.py: only %d items in %s" % (len(items), include))
    print("\n".join(items))


main()
