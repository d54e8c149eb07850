# SPDX-License-Identifier: GPL-2.0
"""TAP output of a check: each test is a list of complaints, and passes when the list is empty."""

import os
import sys


class Report:
    """Numbers the tests of one check. finish() gives the exit status."""

    # Complaints printed for one test; the selftest wants all.
    SHOWN = int(os.environ.get("PCL_CHECK_SHOWN", 40))

    def __init__(self, check):
        self.check = check
        self.count = 0
        self.failed = 0

    def test(self, name, complaints, note=""):
        """One test. @note: a figure worth seeing when the test passes."""
        complaints = list(complaints)
        self.count += 1
        self.failed += bool(complaints)
        print("%s %d - %s: %s%s" % ("not ok" if complaints else "ok", self.count, self.check, name,
                                    " (%s)" % note if note else ""))
        for complaint in complaints[:self.SHOWN]:
            print("# " + complaint)
        if len(complaints) > self.SHOWN:
            print("# ... and %d more" % (len(complaints) - self.SHOWN))
        sys.stdout.flush()

    def skip(self, name, why):
        self.count += 1
        print("ok %d - %s: %s # SKIP %s" % (self.count, self.check, name, why))
        sys.stdout.flush()

    def note(self, text):
        print("# " + text)

    def finish(self):
        print("1..%d" % self.count)
        return 1 if self.failed else 0


def table(path, fields):
    """Rows of a list file: @fields words, then a colon and the reason, which no row may lack. Gives (words, reason)."""
    rows = []
    try:
        with open(path) as f:
            lines = f.read().splitlines()
    except FileNotFoundError:
        return rows
    for number, line in enumerate(lines, 1):
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        head, colon, reason = line.partition(": ")
        words = head.split(None, fields - 1)
        if len(words) != fields or not colon or not reason.strip():
            raise SystemExit("%s:%d: wanted %d words, a colon and a reason: %s" % (path, number, fields, line))
        rows.append((tuple(words), reason.strip()))
    return rows
