# SPDX-License-Identifier: GPL-2.0
"""A kernel tree that carries PCL, or may: which files are ours, and the stock files they replaced.

TREE/.pcl/state is a list of what was written, TREE/.pcl/stock/ holds each stock file that was changed or taken out.
The state is written before the first change and marked complete after the last, so an interrupted run can be resumed
or undone.
"""

import json
import os
import re
import shutil

from overlay import Refusal, read, sha256

META = ".pcl"
KERNEL = ("6", "1")


class Tree:
    def __init__(self, root):
        self.root = os.path.realpath(root)
        self.meta = os.path.join(self.root, META)
        self.sublevel = self._check_version()
        self.state = {"complete": True, "files": {}, "directories": []}
        if os.path.exists(self._state_path()):
            self.state = json.loads(read(self._state_path()))
        elif os.path.isdir(self.meta):
            raise Refusal("%s has a %s directory without a state: unpack the tree anew" % (self.root, META))
        self.files = self.state["files"]	# path -> sha256 of what we wrote, None for a file taken out

    def _check_version(self):
        try:
            makefile = read(os.path.join(self.root, "Makefile")).decode(errors="replace")
        except OSError as error:
            raise Refusal("%s is no kernel tree: it has no Makefile" % self.root) from error
        numbers = dict(re.findall(r"^(VERSION|PATCHLEVEL|SUBLEVEL) = (\d+)$", makefile, re.M))
        found = (numbers.get("VERSION"), numbers.get("PATCHLEVEL"))
        if len(numbers) < 3 or not os.path.isdir(os.path.join(self.root, "kernel/sched")):
            raise Refusal("%s is no kernel tree" % self.root)
        if found != KERNEL:
            raise Refusal("%s is Linux %s.%s; PCL is made for %s.%s" % ((self.root,) + found + KERNEL))
        return numbers["SUBLEVEL"]

    def _state_path(self):
        return os.path.join(self.meta, "state")

    def path(self, path):
        return os.path.join(self.root, path)

    def saved(self, path):
        return os.path.join(self.meta, "stock", path)

    def applied(self):
        return os.path.exists(self._state_path())

    def stock(self, path):
        """Where the stock file lies, None if stock has none."""
        for candidate in (self.saved(path), self.path(path)):
            if os.path.isfile(candidate) and not (candidate == self.path(path) and path in self.files):
                return candidate
        return None

    def stock_below(self, directory):
        """Every stock file below a directory."""
        found = set()
        for base in (self.path(directory), self.saved(directory)):
            for where, _, names in os.walk(base):
                found.update(os.path.join(directory, os.path.relpath(os.path.join(where, name), base))
                             for name in names)
        return sorted(path for path in found if self.stock(path))

    def altered(self):
        """Our files that no longer are what we wrote. After an interrupted run nothing can be said."""
        if not self.state["complete"]:
            return []
        return sorted(path for path, value in self.files.items() if self.current(path) != value)

    def current(self, path):
        """sha256 of a file in the tree, None if there is none."""
        return sha256(read(self.path(path))) if os.path.isfile(self.path(path)) else None

    def write_state(self, complete):
        self.state["complete"] = complete
        os.makedirs(self.meta, exist_ok=True)
        with open(self._state_path() + ".new", "w") as f:
            json.dump(self.state, f, indent=1, sort_keys=True)
            f.write("\n")
        os.rename(self._state_path() + ".new", self._state_path())

    def save(self, path):
        """Keeps the stock file, if there is one and it is not kept yet."""
        source = self.stock(path)
        if source != self.path(path):
            return
        os.makedirs(os.path.dirname(self.saved(path)), exist_ok=True)
        shutil.copy2(source, self.saved(path) + ".new")
        os.rename(self.saved(path) + ".new", self.saved(path))

    def plan_directories(self, paths):
        """Notes, before anything is written, which directories will be ours."""
        missing = set()
        for path in paths:
            directory = os.path.dirname(path)
            while directory and not os.path.isdir(self.path(directory)):
                missing.add(directory)
                directory = os.path.dirname(directory)
        self.state["directories"] = sorted(missing.union(self.state["directories"]))

    def put(self, path, data, mode):
        """Writes one file, with the time of now, so that make sees it."""
        os.makedirs(os.path.dirname(self.path(path)), exist_ok=True)
        fresh = os.path.join(self.meta, "fresh")
        with open(fresh, "wb") as f:
            f.write(data)
        os.chmod(fresh, mode)
        os.rename(fresh, self.path(path))

    def drop(self, path):
        if os.path.exists(self.path(path)):
            os.unlink(self.path(path))

    def restore(self, path):
        """Stock's file again, or none if stock has none."""
        saved = self.saved(path)
        if os.path.exists(saved):
            self.put(path, read(saved), os.stat(saved).st_mode & 0o7777)
        else:
            self.drop(path)

    def prune(self):
        """Directories of ours that are empty now."""
        for directory in sorted(self.state["directories"], reverse=True):
            try:
                os.rmdir(self.path(directory))
            except OSError:
                continue
            self.state["directories"].remove(directory)

    def forget(self):
        shutil.rmtree(self.meta)
