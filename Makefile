# SPDX-License-Identifier: GPL-2.0
# The few words a person types. Everything that is built goes to a cache outside the repository.

VM := tools/testing/pcl/vm/run
FLAVOUR ?= pcl
TREE ?=
ARGS ?=

help:
	@echo 'PCL: Performance Counters for Linux'
	@echo
	@echo '  make demo                 count and sample a real program, on a kernel that runs PCL (ARCH=sparc64: on SPARC)'
	@echo '  make test                 every test; the last line says how many passed, failed, were skipped'
	@echo '  make quick                the tests that need no virtual machine'
	@echo '  make torture              race the ends of events, at most an hour: on PCL, and on kernels that watch it'
	@echo '  make differ               random calls on stock and on PCL must come to the same: 50,000 sequences'
	@echo '  make fuzz                 search for inputs that break the tool, for FUZZ_SECONDS=1800'
	@echo '  make check                static checks only'
	@echo '  make broken               break tool and engine on purpose, one way at a time: each time a test must fail'
	@echo '  make coverage             how much of engine, driver and tool the tests reach, and what they never do'
	@echo '  make clients              programs of others, unmodified, on stock and on PCL: perf, bpftrace, rr, PAPI, gdb ...'
	@echo '                            (ARCH=sparc64: perf on SPARC)'
	@echo '  make bench                what operations cost, stock and PCL side by side, on x86-64 and sparc64; a picture'
	@echo '  make kernel               build a kernel, print its image (FLAVOUR=pcl, stock or debug)'
	@echo '  make emulator             build the emulator with counters, print its path'
	@echo '  make tool                 build the command line tool'
	@echo '  make shell                a shell in the virtual machine (FLAVOUR=pcl, stock or debug)'
	@echo '  make apply TREE=DIR       put PCL into a Linux 6.1 tree; make unapply TREE=DIR takes it out'
	@echo '  make deps                 install the Debian packages that all this needs (as root)'
	@echo
	@echo 'ARGS=... is passed on to run-tests and to the virtual machine.'
	@echo 'What is built is kept in $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/pcl.'

deps:
	@scripts/deps

deps-build:
	@scripts/deps --build

demo: $(if $(filter sparc64,$(ARCH)),deps,deps-build)
	@scripts/demo

test: deps
	@tools/testing/pcl/run-tests $(ARGS) all

quick: deps
	@tools/testing/pcl/run-tests $(ARGS) quick

check: deps
	@scripts/check

broken: deps
	@tools/testing/pcl/run-tests --suites tools/testing/pcl/suites.broken $(ARGS) all

coverage: deps
	@tools/testing/pcl/coverage/run $(ARGS)

fuzz: deps
	@$(MAKE) --no-print-directory -C tools/pcl fuzz

torture: deps
	@tools/testing/pcl/run-tests --suites tools/testing/pcl/suites.torture $(ARGS) all

differ: deps
	@tools/testing/pcl/differ/run --sequences 50000 $(ARGS)

clients: $(if $(filter sparc64,$(ARCH)),deps)
	@tools/testing/pcl/clients/run$(if $(filter sparc64,$(ARCH)),-sparc64) $(ARGS)

bench: deps
	@tools/testing/pcl/bench/run $(ARGS)

kernel: deps-build
	@scripts/kernel $(FLAVOUR)

emulator: deps-build
	@tools/testing/pcl/pmu/build

tool: deps-build
	@$(MAKE) --no-print-directory -C tools/pcl

shell: deps-build
	@$(VM) --kernel $(FLAVOUR) --interactive $(ARGS)

apply unapply:
	@$(if $(TREE),scripts/$@ $(TREE),$(error $@ needs TREE=the directory of a Linux 6.1 tree))

.PHONY: help deps deps-build demo test quick check broken coverage fuzz torture differ clients bench kernel emulator tool shell apply unapply
