# SPDX-License-Identifier: GPL-2.0
"""The stock tree: where it is unpacked, and an index of its names, made once and kept in the cache."""

import hashlib
import os
import subprocess
import tempfile

import repo

CACHE = os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "pcl")
# Where names are looked for: drivers are left out but for those near to the engine.
PARTS = ("arch/ia64", "arch/sparc", "arch/x86", "block", "crypto", "drivers/base", "drivers/perf", "fs", "include",
         "init", "ipc", "kernel", "lib", "mm", "net/core", "scripts", "security", "tools/include", "tools/lib",
         "tools/memory-model", "tools/perf", "tools/testing/kunit", "virt", "Documentation")
SOURCES = ("*.[chS]", "Kconfig*", "*.rst", "*.py", "*.pl", "Makefile")


# Asks where the tree is without waiting for a build in it; only an absent one is unpacked.
FIND = '''set -e
. "$1/scripts/lib.sh"
sum=$(file_sha256 "$(base_tarball)")
tree=$cache/linux-$(base_version "$sum")-${sum:0:8}
[ -d "$tree" ] && echo "$tree" || "$1/scripts/kernel" --unpack'''


def tree():
    """The pristine tree, unpacked when absent."""
    result = subprocess.run(["bash", "-c", FIND, "checks", repo.HOME], check=True, stdout=subprocess.PIPE)
    return result.stdout.decode().strip()


def removed():
    """The stock files that PCL replaces or does without; a name that ends in a slash stands for all below it."""
    lines = (line.split("#")[0].strip() for line in repo.read("patches/removed").splitlines())
    return [line for line in lines if line]


def _left(name, gone):
    return not any(name == entry or (entry.endswith("/") and name.startswith(entry)) for entry in gone)


def _words(root, gone):
    """Every identifier of the chosen parts, but for the files that PCL replaces.

    grep and sort are an order of magnitude faster than Python here.
    """
    parts = [part for part in PARTS if os.path.isdir(os.path.join(root, part))]
    names = []
    for glob in SOURCES:
        names += (["-o"] if names else []) + ["-name", glob]
    find = subprocess.run(["find"] + parts + ["-type", "f", "("] + names + [")"], cwd=root, check=True,
                          stdout=subprocess.PIPE)
    files = [name for name in find.stdout.decode().splitlines() if _left(name, gone)]
    env = dict(os.environ, LC_ALL="C")
    with tempfile.TemporaryFile() as listing:
        listing.write("\0".join(files).encode())
        listing.seek(0)
        grep = subprocess.Popen(["xargs", "-0", "grep", "-hoaE", r"[A-Za-z_][A-Za-z0-9_]{2,}", "--"], cwd=root, env=env,
                                stdin=listing, stdout=subprocess.PIPE)
        sort = subprocess.run(["sort", "-u", "-S", "512M"], env=env, stdin=grep.stdout, stdout=subprocess.PIPE,
                              check=True)
        grep.stdout.close()
        grep.wait()
    return sort.stdout.decode(errors="replace")


def _symbols(root):
    """CONFIG_ names of every Kconfig in the tree."""
    result = subprocess.run(["grep", "-rhoE", r"^(menu)?config [A-Z0-9_a-z]+", "--include=Kconfig*", "."],
                            cwd=root, check=True, stdout=subprocess.PIPE)
    return {"CONFIG_" + line.split()[1] for line in result.stdout.decode().splitlines()}


def _files(root):
    for directory, below, names in os.walk(root):
        below[:] = [d for d in below if d not in (".git", ".pcl")]
        for name in names:
            yield os.path.relpath(os.path.join(directory, name), root)


def _drop_old(directory, keep=3):
    kept = sorted((os.path.join(directory, name) for name in os.listdir(directory)), key=os.path.getmtime)
    for name in kept[:-keep]:
        os.unlink(name)


class Index:
    """names: identifiers, CONFIG_ symbols; files: every path."""

    def __init__(self, names, files):
        self.names = set(names)
        self.files = set(files)
        self.basenames = {os.path.basename(name) for name in self.files}
        self.directories = {os.path.dirname(name) for name in self.files}


def index():
    root, gone = tree(), removed()
    with open(__file__, "rb") as f:
        recipe = hashlib.sha256(f.read() + "\n".join(gone).encode()).hexdigest()[:12]
    kept = os.path.join(CACHE, "names", "%s-%s" % (os.path.basename(root), recipe))
    if not os.path.exists(kept):
        os.makedirs(os.path.dirname(kept), exist_ok=True)
        names = set(_words(root, gone).split()) | _symbols(root)
        fresh = "%s.%d" % (kept, os.getpid())
        with open(fresh, "w") as f:
            f.write("\n".join(sorted(names)) + "\n\n" + "\n".join(sorted(_files(root))) + "\n")
        os.rename(fresh, kept)
        _drop_old(os.path.dirname(kept))
    with open(kept) as f:
        names, _, files = f.read().partition("\n\n")
    return Index(names.split("\n"), files.strip().split("\n"))
