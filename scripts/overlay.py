#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""What the repository wants of a kernel tree: files of its own, patches, and stock files taken out."""

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile

TOP = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))

# Directories of the repository that lie at the same path in a kernel tree. Tools and tests stay in the repository:
# they need no kernel tree, and a kernel tree does not build them.
OVERLAY_DIRS = ("Documentation", "arch", "include", "kernel")
NOT_OVERLAY = re.compile(r"(^\.|~$|\.(o|a|orig|rej|swp|pyc)$|^__pycache__$)")
# No kernel image depends on these.
NOT_BUILT = re.compile(r"^Documentation/|\.md$")


class Refusal(Exception):
    """The tree or the repository is not as it has to be; nothing was changed. The text says why."""


def sha256(data):
    return hashlib.sha256(data).hexdigest()


def read(path):
    with open(path, "rb") as f:
        return f.read()


def _list(name):
    """Lines of a list file in patches/, without comments."""
    path = os.path.join(TOP, "patches", name)
    if not os.path.exists(path):
        return []
    lines = (line.split("#")[0].strip() for line in read(path).decode().splitlines())
    return [line for line in lines if line]


def overlay_files():
    """Path -> (bytes, mode) of the files that PCL adds to a tree."""
    found = {}
    for top in OVERLAY_DIRS:
        for directory, subdirectories, names in os.walk(os.path.join(TOP, top)):
            subdirectories[:] = sorted(d for d in subdirectories if not NOT_OVERLAY.search(d))
            for name in sorted(names):
                path = os.path.join(directory, name)
                if NOT_OVERLAY.search(name):
                    continue
                if os.path.islink(path):
                    raise Refusal("%s: symbolic links have no place in the overlay" % os.path.relpath(path, TOP))
                mode = 0o755 if os.access(path, os.X_OK) else 0o644
                found[os.path.relpath(path, TOP)] = (read(path), mode)
    return found


class Patch:
    """One file of patches/series: a text before the first difference, and the stock files it changes."""

    def __init__(self, name):
        self.name = name
        self.path = os.path.join(TOP, "patches", name)
        if not os.path.exists(self.path):
            raise Refusal("patches/series names %s, which is missing" % name)
        text = read(self.path).decode()
        start = re.search(r"^(diff |--- )", text, re.M)
        self.header = text[:start.start()] if start else text
        self.files = re.findall(r"^\+\+\+ b/(\S+)", text, re.M)
        if len(self.files) != len(re.findall(r"^--- a/\S+", text, re.M)):
            raise Refusal("patches/%s adds or deletes a file: new files lie whole in the overlay, "
                          "files to delete in patches/removed" % name)


def patches():
    """The series in order. A stock file belongs to one patch, so that refresh knows where a change goes."""
    series = [Patch(name) for name in _list("series")]
    owner = {}
    for patch in series:
        for path in patch.files:
            if path in owner:
                raise Refusal("%s is changed by patches/%s and patches/%s: one of them must do"
                              % (path, owner[path], patch.name))
            owner[path] = patch.name
    return series


def removed():
    """Stock files, or whole directories (ending in a slash), that PCL does without."""
    return _list("removed")


def known_sums():
    """Path -> set of sha256 of the stock files that patches and removals were made for."""
    sums = {}
    for line in _list("sha256"):
        value, path = line.split(None, 1)
        sums.setdefault(path, set()).add(value)
    return sums


def tested_sublevels():
    lines = (line.split() for line in read(os.path.join(TOP, "BASE")).decode().splitlines())
    return {words[2] for words in lines if words[:1] == ["tested"]}


def apply_patches(series, stock):
    """Path -> bytes after the series, from stock: path -> bytes before it. No fuzz is allowed."""
    with tempfile.TemporaryDirectory(prefix="pcl-apply.") as directory:
        for path, data in stock.items():
            target = os.path.join(directory, path)
            os.makedirs(os.path.dirname(target), exist_ok=True)
            with open(target, "wb") as f:
                f.write(data)
        for patch in series:
            if not patch.files:
                continue
            result = subprocess.run(["patch", "-p1", "-F0", "-N", "-s", "--no-backup-if-mismatch",
                                     "-r", "-", "-d", directory, "-i", patch.path],
                                    stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            if result.returncode:
                raise Refusal("patches/%s does not apply (no fuzz is allowed):\n%s" % (patch.name, result.stdout))
        return {path: read(os.path.join(directory, path)) for path in stock}


def build_hash():
    """One hash of all that a built kernel takes from the repository."""
    total = hashlib.sha256()
    for path, (data, _) in sorted(overlay_files().items()):
        if not NOT_BUILT.search(path):
            total.update(("%s %s\n" % (path, sha256(data))).encode())
    for patch in patches():
        total.update(read(patch.path))
    total.update("\n".join(removed()).encode())
    return total.hexdigest()


def main(run):
    """Runs one script's work, printing a refusal as its own line."""
    try:
        sys.exit(run(sys.argv[1:]))
    except Refusal as refusal:
        print("%s: %s" % (os.path.basename(sys.argv[0]), refusal), file=sys.stderr)
        sys.exit(1)


def _command(arguments):
    if arguments != ["hash"]:
        print("Usage: scripts/overlay.py hash", file=sys.stderr)
        return 2
    if not shutil.which("patch"):
        raise Refusal("patch(1) is missing: run scripts/deps")
    print(build_hash())
    return 0


if __name__ == "__main__":
    main(_command)
