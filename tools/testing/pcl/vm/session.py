# SPDX-License-Identifier: GPL-2.0
"""One run of the emulator: streams passed on, status judged, nothing left behind."""

import ctypes
import itertools
import os
import re
import selectors
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

from machine import Failure, command_line

TIMED_OUT = 124
GUEST_FAILED = 125
PR_SET_PDEATHSIG = 1
CONSOLE_LINES = 200
COMPLAINT_LINES = 8

# Stock 6.1 with PROVE_RCU, as debug kernels have it, can hang at boot: while the rcu_tasks thread holds tasks_gp_mutex
# and waits for pid 1 to schedule, pid 1 waits for that mutex in the test of synchronize_rcu_tasks() (kernel/rcu/tasks.h).
# What such a console ends with, how long it must stand before it is taken for that, in seconds, and how often to boot.
BOOT_RACE = "Running RCU-tasks wait API self tests"
BOOT_RACE_PATIENCE = 30
BOOT_RACE_BOOTS = 3

# The kernel gives firmware's code 30 seconds of the clock for a loop. Where this machine leaves the guest no time, that is
# too little for a debug kernel, and the devices that the code describes have no interrupt: no init can do its work. That
# is no fault of any kernel, so it is booted again as long as other work may take, with a pause that grows, in seconds.
BOOT_STARVED = re.compile(r"AE_AML_LOOP_TIMEOUT.*no GSI", re.DOTALL)
BOOT_STARVED_BOOTS = 8
BOOT_STARVED_PAUSE = 1

# What the kernel prints when something is wrong with it. Boot messages of a sound kernel hold none of these. A fault of
# a program, "traps: ... general protection fault ip:", is none of the kernel's.
SPLAT = re.compile(r"BUG: |BUG at |WARNING: |\bKASAN\b|UBSAN: |INFO: (possible|trying|task|rcu|suspicious)|Oops: "
                   r"|Call Trace:|general protection(?! fault ip:)|unchecked MSR access|suspicious RCU usage|Kernel panic"
                   r"|DEBUG_LOCKS_WARN|ODEBUG: |list_(add|del) corruption|slab.*corrupt|Object padding overwritten"
                   r"|Uhhuh\. NMI received|perf: interrupt took too long.*\bBUG\b|Dazed and confused")


class Stuck(Exception):
    """The guest does not come up, for a reason that is none of the kernel's under test: which, and how often to boot."""

    def __init__(self, why, boots, pause=0):
        super().__init__(why)
        self.boots, self.pause = boots, pause


class Interrupted(Exception):
    """A signal asked this program to end."""

    def __init__(self, number):
        super().__init__("signal %d" % number)
        self.number = number


class Streams:
    """The three connections to the guest's init: what came, and where it goes."""

    def __init__(self):
        self.pairs = [socket.socketpair() for _ in range(3)]
        self.control, self.output, self.error = (ours for ours, _ in self.pairs)
        self.report = b""
        self.bytes = {self.output: 0, self.error: 0}

    def theirs(self):
        return [theirs.fileno() for _, theirs in self.pairs]

    def close_theirs(self):
        for _, theirs in self.pairs:
            theirs.close()

    def silent(self):
        return not self.report and not any(self.bytes.values())

    def receive(self, stream):
        """Takes what is there; false at the end of the stream."""
        data = stream.recv(1 << 16)
        if stream is self.control:
            self.report += data
        elif data:
            self.bytes[stream] += len(data)
            view = memoryview(data)
            while view:
                view = view[os.write(1 if stream is self.output else 2, view):]
        return bool(data)

    def verdict(self):
        """The status once all output has come, None before; Failure if init could not do its work."""
        line, ended, _ = self.report.partition(b"\n")
        if not ended:
            return None
        words = line.decode(errors="replace").split()
        if words[0] != "exit":
            raise Failure("the guest's init: " + " ".join(words[1:]))
        status, output, error = map(int, words[1:])
        if self.bytes[self.output] < output or self.bytes[self.error] < error:
            return None
        return status


def _die_with_parent():
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


class BootWatch:
    """Raises Stuck once the console has stood at the race for long enough, or tells that there was too little time."""

    def __init__(self, console):
        self.console, self.size, self.since = console, -1, 0

    def look(self):
        text = _read(self.console)
        now = time.monotonic()
        if len(text) != self.size:
            self.size, self.since = len(text), now
        if BOOT_RACE in text.rstrip().rpartition("\n")[2] and now - self.since > BOOT_RACE_PATIENCE:
            raise Stuck("hangs in stock's test of RCU tasks", BOOT_RACE_BOOTS)
        if BOOT_STARVED.search(text):
            raise Stuck("got too little time for its firmware's code", BOOT_STARVED_BOOTS, BOOT_STARVED_PAUSE)


def _wait(process, streams, deadline, watch):
    """The command's status; Failure when the guest ended without one; TimeoutError; Stuck."""
    ended = os.pidfd_open(process.pid)
    selector = selectors.DefaultSelector()
    for source in (streams.control, streams.output, streams.error, ended):
        selector.register(source, selectors.EVENT_READ)
    try:
        while True:
            left = None if deadline is None else deadline - time.monotonic()
            if left is not None and left <= 0:
                raise TimeoutError
            if streams.silent():
                watch.look()
                left = min(left or 5, 5)
            ready = [key.fileobj for key, _ in selector.select(left)]
            for source in ready:
                if source is not ended and not streams.receive(source):
                    selector.unregister(source)
            status = streams.verdict()
            if status is not None:
                return status
            if ready == [ended]:
                raise Failure("the guest ended without a status (emulator: %d)" % process.wait())
    finally:
        selector.close()
        os.close(ended)


def _end(process):
    """Ends the emulator: asks, then insists."""
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(3)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _read(path):
    try:
        with open(path, errors="replace") as f:
            return f.read()
    except OSError:
        return ""


def _show(title, text):
    lines = text.replace("\r", "").splitlines()
    print("vm/run: %s%s" % (title, ":" if lines else " is empty"), file=sys.stderr)
    if len(lines) > CONSOLE_LINES:
        print("| (%d lines before)" % (len(lines) - CONSOLE_LINES), file=sys.stderr)
    for line in lines[-CONSOLE_LINES:]:
        print("| " + line, file=sys.stderr)


def _complaint(console, expected):
    """What the kernel complained of, with the lines behind it, or did not though it should have; None: all is well."""
    lines = [line.strip() for line in console.splitlines()]
    splats = [number for number, line in enumerate(lines) if SPLAT.search(line)]
    other = [number for number in splats if not (expected and re.search(expected, lines[number]))]
    if other:
        return "the kernel complained: " + "\n| ".join(lines[other[0]:other[0] + COMPLAINT_LINES])
    return "the kernel did not complain of " + expected if expected and not splats else None


def _on_signal(number, _frame):
    raise Interrupted(number)


def _judge(process, streams, options, directory):
    """Waits, prints what went wrong, returns the status; Stuck when the guest did not come up."""
    deadline = None if options.interactive else time.monotonic() + options.timeout
    console = os.path.join(directory, "console")
    trouble = None
    try:
        status = _wait(process, streams, deadline, BootWatch(console))
    except TimeoutError:
        status, trouble = TIMED_OUT, "no end within %g seconds" % options.timeout
    except Failure as failure:
        status, trouble = GUEST_FAILED, str(failure)
    _end(process)
    text = _read(console)
    complaint = _complaint(text, options.expect_splat)
    if complaint and not trouble and options.allow_splat:
        print("vm/run: as it may, " + complaint, file=sys.stderr)
    elif complaint and not trouble:
        status, trouble = GUEST_FAILED, complaint
    if trouble:
        sys.stdout.flush()
        print("vm/run: " + trouble, file=sys.stderr)
        _show("the console", text)
        messages = _read(os.path.join(directory, "emulator"))
        if messages and process.returncode not in (0, -signal.SIGTERM, -signal.SIGKILL):
            _show("the emulator", messages)
    return status


def _start(line, streams, options, directory):
    """The emulator, with its ends of the streams."""
    here = options.interactive	# the emulator talks to this terminal itself
    with open(os.path.join(directory, "emulator"), "wb") as messages:
        try:
            process = subprocess.Popen(line, pass_fds=streams.theirs(), preexec_fn=_die_with_parent,
                                       stdin=None if here else subprocess.DEVNULL,
                                       stdout=None if here else messages, stderr=messages)
        except OSError as error:
            raise Failure("cannot start the emulator: %s" % error) from error
    streams.close_theirs()
    return process


def run(options, binary, image, initrd, shares):
    """Boots, runs, judges; returns the status this program ends with."""
    directory = tempfile.mkdtemp(prefix="pcl-vm.")
    process = None
    before = {number: signal.signal(number, _on_signal)
              for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    try:
        with open(os.path.join(directory, "initrd"), "wb") as f:
            f.write(initrd)
        for boot in itertools.count(1):
            streams = Streams()
            line = command_line(options, binary, image, f.name, os.path.join(directory, "console"),
                                streams.theirs(), shares)
            if options.verbose:
                print("vm/run: " + shlex.join(line), file=sys.stderr)
            start = time.monotonic()
            process = _start(line, streams, options, directory)
            try:
                status = _judge(process, streams, options, directory)
            except Stuck as stuck:
                _end(process)
                print("vm/run: boot %d of %d %s" % (boot, stuck.boots, stuck), file=sys.stderr)
                if boot >= stuck.boots:
                    return GUEST_FAILED
                time.sleep(stuck.pause * boot)
                continue
            if options.verbose:
                print("vm/run: status %d after %.1f s" % (status, time.monotonic() - start), file=sys.stderr)
            return status
    except Interrupted as interrupted:
        return 128 + interrupted.number
    except BrokenPipeError:
        return 128 + signal.SIGPIPE
    finally:
        for number in before:
            signal.signal(number, signal.SIG_IGN)
        if process:
            _end(process)
        if options.console:
            shutil.copy(os.path.join(directory, "console"), options.console)
        shutil.rmtree(directory)
        for number, handler in before.items():
            signal.signal(number, handler)
