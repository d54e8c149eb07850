# SPDX-License-Identifier: GPL-2.0
"""The machine: which kernel, which emulator, and the emulator's command line."""

import os
import subprocess

HERE = os.path.dirname(os.path.realpath(__file__))
TOP = os.path.realpath(os.path.join(HERE, "../../../.."))

# What each architecture's guest is. Without the hypervisor bit, for kernels look for real hardware then; pmu=on is the
# emulator's own property. A kernel's short name is a flavour of scripts/kernel. "bus": where devices are plugged in;
# sun4u's root bus takes none, and the devices of one of its bridges have interrupts. "words": what its kernel is told.
# q35: the firmware of the older "pc" makes the table of interrupts anew for each device, a minute on the debug kernel.
ARCHES = {
    "x86_64": {
        "kernels": {name: name for name in ("pcl", "stock", "debug", "stock-debug", "coverage", "race", "leak",
                                            "stock-distro", "pcl-distro", "stock-host", "pcl-host")},
        "cpu": "Skylake-Client,-hypervisor,pmu=on",
        "machine": "q35",
        "bus": None,
        "console": "ttyS0",
        "words": ["no_timer_check", "tsc=reliable"],
        "processors": 4,	# NR_CPUS in the kernels' configuration
        "compiler": "gcc",
    },
    "sparc64": {
        "kernels": {"pcl": "sparc64", "stock": "stock-sparc64", "debug": "debug-sparc64",
                    **{name: name for name in ("sparc64", "stock-sparc64", "debug-sparc64")}},
        "cpu": "TI-UltraSparc-IIi",
        "machine": "sun4u",
        "bus": "pciB",
        "console": "ttyS0",
        "words": [],
        "processors": 1,	# all that the emulator's sun4u has
        "compiler": "sparc64-linux-gnu-gcc",
    },
}
# Where Debian keeps the firmware that the emulator loads.
FIRMWARE = ("/usr/share/seabios", "/usr/share/qemu", "/usr/lib/ipxe/qemu")


class Failure(Exception):
    """The run cannot begin, or cannot be judged; the text says why."""


def _ask(what, command):
    """The last line that a build script prints."""
    try:
        result = subprocess.run(command, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True)
    except OSError as error:
        raise Failure("cannot build the %s: %s" % (what, error)) from error
    lines = result.stdout.split("\n")
    if result.returncode or not lines[:-1] or not os.path.exists(lines[-2]):
        raise Failure("cannot build the %s: %s failed" % (what, os.path.relpath(command[0], TOP)))
    return lines[-2]


def kernel_image(options):
    flavours = ARCHES[options.arch]["kernels"]
    if options.kernel in flavours:
        return _ask(options.kernel + " kernel", [os.path.join(TOP, "scripts/kernel"), flavours[options.kernel]])
    if not os.path.isfile(options.kernel):
        raise Failure("--kernel %s: neither %s nor a file" % (options.kernel, ", ".join(flavours)))
    return options.kernel


def emulator(options):
    if options.qemu:
        return options.qemu
    return _ask("emulator", [os.path.join(TOP, "tools/testing/pcl/pmu/build"), "--arch", options.arch])


def debugs(options):
    """Whether it is a debug kernel, of which only the name tells."""
    return "debug" in options.kernel


def kernel_arguments(options):
    """
    Quiet, but warnings are printed; a panic resets, which ends the emulator; a test asks for KUnit itself. A debug
    kernel tells how far it comes, for session.BOOT_RACE.
    """
    words = ["console=" + ARCHES[options.arch]["console"], "quiet", "loglevel=%d" % (7 if debugs(options) else 5),
             "panic=-1", "nmi_watchdog=0", "kunit.enable=0"] + ARCHES[options.arch]["words"]
    if options.icount:
        words += ["norandmaps", "nokaslr"]
    return " ".join(words + options.append)


def _port(name, number, fd):
    return ["-chardev", "socket,id=%s,fd=%d" % (name, fd),
            "-device", "virtserialport,bus=ports.0,nr=%d,chardev=%s,name=pcl.%s" % (number, name, name)]


def _export(name, path, bus, *properties):
    fsdev = ["local", "id=" + name, "path=" + path.replace(",", ",,"), "security_model=none", "multidevs=remap"]
    return ["-fsdev", ",".join(fsdev + list(properties)),
            "-device", "virtio-9p-pci,fsdev=%s,mount_tag=%s%s" % (name, name, bus)]


def command_line(options, binary, image, initrd, console, ports, shares):
    """ports: file descriptors of the control, output and error streams."""
    arch = ARCHES[options.arch]
    bus = ",bus=" + arch["bus"] if arch["bus"] else ""
    accel = "tcg" if options.icount or arch["processors"] == 1 else "tcg,thread=multi"
    line = [binary, "-no-user-config", "-nodefaults", "-display", "none", "-no-reboot",
            "-machine", arch["machine"], "-accel", accel, "-cpu", options.cpu or arch["cpu"],
            "-smp", "%d,threads=%d" % (options.smp, options.threads), "-m", str(options.mem or (2048 if debugs(options) else 1024)),
            "-kernel", image, "-initrd", initrd, "-append", kernel_arguments(options),
            "-chardev", "file,id=console,path=%s" % console, "-serial", "chardev:console",
            "-device", "virtio-serial-pci,id=ports" + bus]
    for path in FIRMWARE:
        if os.path.isdir(path):
            line += ["-L", path]
    if options.icount:
        line += ["-icount", "shift=0,sleep=off", "-seed", "1", "-rtc", "base=2024-01-01,clock=vm"]
    if options.interactive:
        line += ["-chardev", "stdio,id=terminal,signal=off", "-device", "virtconsole,bus=ports.0,nr=0,chardev=terminal"]
    for number, (name, fd) in enumerate(zip(("control", "output", "error"), ports), 1):
        line += _port(name, number, fd)
    line += _export("root", "/", bus, "readonly=on")
    for number, path in enumerate(shares):
        line += _export("share%d" % number, path, bus)
    return line
