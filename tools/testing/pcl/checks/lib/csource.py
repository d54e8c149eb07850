# SPDX-License-Identifier: GPL-2.0
"""Just enough of C, in the kernel's layout, to know what a file defines, declares and uses.

What is relied on: a function's body begins with a brace alone in the first column and ends with one in the first
column; comments and strings are as C has them. Nothing is preprocessed.
"""

import bisect
import collections
import re

Function = collections.namedtuple("Function", "name static line first last")
Comment = collections.namedtuple("Comment", "line last text")
Statement = collections.namedtuple("Statement", "line text")

TOKEN = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)
IDENTIFIER = re.compile(r"[A-Za-z_]\w*")
CALL = re.compile(r"\b([A-Za-z_]\w*)\s*\(")
DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", re.M)
# What looks like a call in the head of a declaration and is none.
ATTRIBUTE = re.compile(r"^(__\w*(printf|aligned|section|attribute|acquires|releases|must_hold|malloc|bos|alloc_size|"
                       r"sized_by|cond_lock)\w*__|__(printf|scanf|aligned|section|attribute__|acquires|releases|"
                       r"must_hold|alloc_size|assume_aligned|no_sanitize|cond_lock|typeof__)|typeof|noinline_for_stack|"
                       r"static_assert|sizeof|if|while|for|switch|return)$")


def _blank(match):
    return re.sub(r"[^\n]", " ", match.group())


class Source:
    def __init__(self, text, name=""):
        self.name = name
        self.text = text
        self._starts = [0] + [match.end() for match in re.finditer("\n", text)]
        self.comments = [Comment(self.line_of(match.start()), self.line_of(match.end() - 1), match.group())
                         for match in TOKEN.finditer(text) if match.group()[0] == "/"]
        # @code: the text with comments and strings blanked, same length, same lines.
        self.code = TOKEN.sub(_blank, text)
        self.lines = self.code.split("\n")
        self.functions = list(self._functions())

    def line_of(self, offset):
        return bisect.bisect_right(self._starts, offset)

    def _functions(self):
        number = 0
        while number < len(self.lines):
            if self.lines[number].rstrip() != "{":
                number += 1
                continue
            first = number
            while first and self._continues(self.lines[first - 1]):
                first -= 1
            head = " ".join(self.lines[first:number])
            last = number
            while last + 1 < len(self.lines) and not self.lines[last].startswith("}"):
                last += 1
            name = function_name(head)
            if name and "=" not in head:
                yield Function(name, bool(re.search(r"\bstatic\b", head)), first + 1, number + 1, last + 1)
            number = last + 1

    @staticmethod
    def _continues(line):
        line = line.rstrip()
        return bool(line) and not line.startswith(("#", "}")) and not line.endswith((";", "\\", "}"))

    def body(self, function):
        """Line number and code of each line of a function, its head included."""
        return [(number, self.lines[number - 1]) for number in range(function.line, function.last + 1)]

    def statements(self):
        """What stands outside functions, up to each semicolon: declarations, definitions of data, macro calls."""
        lines = list(self.lines)
        for function in self.functions:
            for number in range(function.line - 1, function.last):
                lines[number] = ";" if number == function.last - 1 else ""
        text = DIRECTIVE.sub(_blank, "\n".join(lines))
        depth, start, found = 0, 0, []
        for offset, char in enumerate(text):
            depth = max(0, depth + (char in "{(") - (char in "})"))
            if char == ";" and not depth:
                raw = text[start:offset]
                if raw.strip():
                    lead = len(raw) - len(raw.lstrip())
                    line = text.count("\n", 0, start + lead) + 1
                    found.append(Statement(line, " ".join(raw.split())))
                start = offset + 1
        return found

    def prototypes(self):
        """Functions declared, not defined: (line, name)."""
        found = []
        for statement in self.statements():
            head = statement.text.split("=")[0] if "{" not in statement.text else ""
            # Macro calls without a semicolon run into the statement after them.
            head = re.sub(r"^(?:[A-Z][A-Z0-9_]*\s*\([^()]*\)\s*)+", "", head)
            name = function_name(head) if "=" not in statement.text else None
            if not name or re.match(r"typedef\b", head) or name.isupper() or re.match(r"DE(FINE|CLARE)_", name):
                continue
            before = head[:re.search(r"\b%s\s*\(" % re.escape(name), head).start()].split()
            if [word for word in before if word not in ("static", "inline", "extern")]:
                found.append((statement.line, name))
        return found

    def variables(self):
        """Global data defined here: (line, name)."""
        found = []
        for statement in self.statements():
            text = statement.text
            if re.match(r"(static|extern|typedef)\b", text):
                continue
            macro = re.match(r"(DEFINE_\w+)\s*\((.*?)\)", text)
            if macro:
                arguments = [part.strip() for part in macro.group(2).split(",")]
                name = arguments[-1] if "PER_CPU" in macro.group(1) else arguments[0]
                found.append((statement.line, name.split("[")[0]))
                continue
            head = re.sub(r"\{.*", "", text.split("=")[0])
            head = re.sub(r"\[[^\]]*\]|__\w+(\s*\([^)]*\))?", " ", head)
            words = IDENTIFIER.findall(head)
            if "(" in head or len(words) < 2 or (words[-2] in ("struct", "union", "enum")):
                continue
            found.append((statement.line, words[-1]))
        return found

    def uses(self):
        """Identifier -> lines where the code names it."""
        found = collections.defaultdict(list)
        code = re.sub(r'^[ \t]*#[ \t]*include[^\n]*', _blank, self.code, flags=re.M)
        for match in IDENTIFIER.finditer(code):
            found[match.group()].append(self.line_of(match.start()))
        return found

    def includes(self):
        """(line, name) of each file included by a quoted name."""
        return [(self.line_of(match.start()), match.group(1))
                for match in re.finditer(r'^[ \t]*#[ \t]*include[ \t]*"([^"]+)"', self.text, re.M)]


def function_name(head):
    """The function that a head such as "static int pcl_x(int y)" is about, or None."""
    syscall = re.match(r"\s*(?:COMPAT_)?SYSCALL_DEFINE\d\s*\(\s*(\w+)", head)
    if syscall:
        return "sys_" + syscall.group(1)
    for match in CALL.finditer(head):
        if ATTRIBUTE.match(match.group(1)):
            continue
        if head[match.end():].lstrip().startswith(("*", "&")):
            return None
        return match.group(1)
    return None


def flatten(comment):
    """A comment's words, without its frame."""
    text = re.sub(r"^/\*+|\*+/$|^//", "", comment.text)
    return " ".join(re.sub(r"^\s*\*+", "", line).strip() for line in text.split("\n")).strip()
