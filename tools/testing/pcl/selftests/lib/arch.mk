# SPDX-License-Identifier: GPL-2.0
# What a Makefile needs to build programs for an architecture with this library: set LIB, include this.
ARCH ?= x86_64
CC := $(if $(filter x86_64,$(ARCH)),gcc,$(ARCH)-linux-gnu-gcc)
LIB_SOURCES := $(wildcard $(LIB)/*.c $(LIB)/$(ARCH)/*.c $(LIB)/$(ARCH)/*.S)
LIB_HEADERS := $(wildcard $(LIB)/*.h $(LIB)/$(ARCH)/*.h)
# A program is the same wherever the sources and the result lie: a boot is known by what its programs contain.
SAME_ANYWHERE = -ffile-prefix-map=$(realpath $(CURDIR)/..)=. -fdebug-prefix-map=$(O)=.
