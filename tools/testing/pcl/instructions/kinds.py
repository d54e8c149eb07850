# SPDX-License-Identifier: GPL-2.0
"""Kinds of rules: what must stand where in a function, and in what order, on every way through it."""

ENTRY = "entry"


class Rule:
    """A rule about one function; complaints() gives what breaks it, and text() what it says."""

    def __init__(self, function, why):
        self.function = function
        self.why = why

    def text(self):
        said = self.__doc__.strip().rstrip(".")
        for name in ("what", "first", "then", "start"):
            value = getattr(self, name, "")
            said = said.replace("@" + name, " or ".join(value) if isinstance(value, tuple) else value)
        said = "%s: %s" % (self.function, said.split(", since")[0].split(", before any")[0])
        return said + (": " + self.why if self.why else "")


def walk(function, start, step):
    """Propagate states along all ways; step(state, name) gives the next state, or a text: a complaint."""
    after = function.successors()
    seen = [set() for _ in range(len(function.code) + 1)]
    work = [(0, start)]
    complaints = []
    while work:
        index, state = work.pop()
        if index > len(function.code) or state in seen[index]:
            continue
        seen[index].add(state)
        if index == len(function.code):
            continue
        one = function.code[index]
        states = {state} if one.optional or not one.names else set()
        now = state
        for name in one.names:
            now = step(now, name)
            if isinstance(now, str):
                complaints.append("%s+%x: %s: %s" % (function.name, one.at[0] - function.code[0].at[0], one.text, now))
                break
        else:
            if one.names:
                states.add(now)
        for state_after in states:
            # A way that ends goes on only where the predicate is off; both are taken, which errs to the safe side.
            work.extend((next_one, state_after) for next_one in after[index])
    return sorted(set(complaints))


class Needs(Rule):
    """Each @what has a @first on every way to it, since the function's entry or the last of @since."""

    def __init__(self, function, what, first, since=(), why=""):
        super().__init__(function, why)
        self.what, self.first, self.since = what, first, since

    def complaints(self, function):
        def step(ready, name):
            if name == self.what and not ready:
                return "without %s before" % self.first
            if name == self.first:
                return True
            return ready and name not in self.since
        return walk(function, False, step)


class Then(Rule):
    """After each @what comes a @then, before any of @until."""

    def __init__(self, function, what, then, until=("ret",), why=""):
        super().__init__(function, why)
        self.what, self.then, self.until = what, then if isinstance(then, tuple) else (then,), until

    def complaints(self, function):
        def step(owed, name):
            if name in self.then:
                return False
            if owed and name in self.until:
                return "%s is owed to %s" % (" or ".join(self.then), self.what)
            return owed or name == self.what
        return walk(function, False, step)


class Has(Rule):
    """The function has a @what at all: the other rules would hold of an empty one."""

    def __init__(self, function, *what, why=""):
        super().__init__(function, why)
        self.what = what

    def complaints(self, function):
        return ["%s has no %s" % (function.name, what) for what in self.what if what not in function.names()]


class Always(Rule):
    """No way through the function is without @what."""

    def __init__(self, function, what, why=""):
        super().__init__(function, why)
        self.what = what

    def complaints(self, function):
        def step(done, name):
            if name == "ret" and not done:
                return "without %s" % self.what
            return done or name == self.what
        return walk(function, False, step)


class Never(Rule):
    """The function has none of @what."""

    def __init__(self, function, *what, why=""):
        super().__init__(function, why)
        self.what = what

    def complaints(self, function):
        return ["%s has %s" % (function.name, what) for what in self.what if what in function.names()]


class NotAfter(Rule):
    """No @what comes after a @first."""

    def __init__(self, function, what, first, why=""):
        super().__init__(function, why)
        self.what, self.first = what, first

    def complaints(self, function):
        def step(over, name):
            if name == self.what and over:
                return "after %s" % self.first
            return over or name == self.first
        return walk(function, False, step)


class Maybe(Rule):
    """There is a way from @start to the end on which @what is not met: a condition guards it."""

    def __init__(self, function, what, start, why=""):
        super().__init__(function, why)
        self.what, self.start = what, start

    def complaints(self, function):
        ways = set()

        def step(state, name):
            if name == "ret":
                ways.add(state)
            if name == self.start and not state:
                return 1
            return 2 if name == self.what and state else state
        complaints = walk(function, int(self.start == ENTRY), step)
        return complaints or ([] if 1 in ways else ["%s: %s on each way" % (function.name, self.what)])
