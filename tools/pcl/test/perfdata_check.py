#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""What other readers need of a recording, checked on a file that pcl record wrote.

Usage: perfdata_check.py FILE          TAP, a line for each need
       perfdata_check.py --self FILE   spoils the file in memory, need by need, and sees each check fail

The needs are those of perf, perfparser (hotspot), quipper (pprof) and linux-perf-data (samply).
"""
import re
import struct
import sys

MAGIC = b'PERFILE2'
TRACING, BUILD_ID, HOSTNAME, OSRELEASE, VERSION, ARCH, NRCPUS = 1, 2, 3, 4, 5, 6, 7
CMDLINE, EVENT_DESC, CPU_TOPOLOGY, BRANCH, PMUS, GROUPS, STAT, TIMES, COMPRESSED = 11, 12, 13, 15, 16, 17, 19, 21, 27
STRINGS = (HOSTNAME, OSRELEASE, VERSION, ARCH)
TID, TIME, ID, CPU, STREAM, IDENT = 1 << 1, 1 << 2, 1 << 6, 1 << 7, 1 << 9, 1 << 16


def u32(b, at):
    return struct.unpack_from('<I', b, at)[0]


def u64(b, at):
    return struct.unpack_from('<Q', b, at)[0]


class File:
    def __init__(self, b):
        self.b = b
        self.attr_size = u64(b, 16)
        self.attrs_at, self.attrs_len = u64(b, 24), u64(b, 32)
        self.data_at, self.data_len = u64(b, 40), u64(b, 48)
        self.attrs = [self.attrs_at + i for i in range(0, self.attrs_len, self.attr_size)]
        self.features = {}
        at = self.data_at + self.data_len
        for bit in range(256):
            if b[72 + bit // 8] >> bit % 8 & 1:
                self.features[bit] = (u64(b, at), u64(b, at + 8))
                at += 16

    def attr(self, i, off, size=8):
        return int.from_bytes(self.b[self.attrs[i] + off:self.attrs[i] + off + size], 'little')

    def sample_type(self, i):
        return self.attr(i, 24)

    def sample_id_all(self, i):
        return self.attr(i, 40) >> 18 & 1

    def ids(self, i):
        at = self.attrs[i] + self.attr_size - 16
        off, size = u64(self.b, at), u64(self.b, at + 8)
        return [u64(self.b, off + k) for k in range(0, size, 8)]

    def string(self, feature):
        at, _ = self.features[feature]
        n = u32(self.b, at)
        return self.b[at + 4:at + 4 + n].split(b'\0')[0].decode()

    def records(self):
        at, end = self.data_at, self.data_at + self.data_len
        while at + 8 <= end:
            kind, misc, size = struct.unpack_from('<IHH', self.b, at)
            if size < 8:
                raise ValueError('a record of size %d at %d' % (size, at))
            yield at, kind, misc, size
            at += size
        if at != end:
            raise ValueError('the last record ends at %d, the data at %d' % (at, end))

    def time(self, at, kind, size):
        t = self.sample_type(0)
        if kind >= 64 or not t & TIME:
            return None
        if kind == 9:
            return u64(self.b, at + 8 + 8 * bool(t & IDENT) + 8 * bool(t & 1) + 8 * bool(t & TID))
        if not self.sample_id_all(0):
            return None
        behind = sum(8 for bit in (ID, STREAM, CPU, IDENT) if t & bit)
        return u64(self.b, at + size - behind - 8)


def check_header(f):
    assert f.b[:8] == MAGIC and u64(f.b, 8) == 104
    assert u64(f.b, 56) == 0 and u64(f.b, 64) == 0, 'the section of event types is obsolete'


def check_attr_size(f):
    for i in range(len(f.attrs)):
        assert f.attr(i, 4, 4) == f.attr_size - 16, 'attr.size %d, attr_size %d' % (f.attr(i, 4, 4), f.attr_size)


def check_attr_old(f):
    assert f.attr_size - 16 <= 128, 'an attr that perf 6.1 does not know'


def check_same_ids(f):
    many = len(f.attrs) > 1
    for i in range(len(f.attrs)):
        assert not many or f.sample_type(i) & IDENT, 'several events, and no IDENTIFIER'
        assert f.sample_id_all(i) == f.sample_id_all(0)
        assert f.attr(i, 32) == f.attr(0, 32), 'different read_format'
        assert f.ids(i), 'an event without ids'
    every = sum((f.ids(i) for i in range(len(f.attrs))), [])
    assert len(set(every)) == len(every), 'an id of two events'


def check_event_desc(f):
    at, size = f.features[EVENT_DESC]
    nr, attr_size = u32(f.b, at), u32(f.b, at + 4)
    end, at = at + size, at + 8
    assert nr == len(f.attrs) and attr_size == f.attr_size - 16
    for i in range(nr):
        assert f.b[at:at + attr_size] == f.b[f.attrs[i]:f.attrs[i] + attr_size], 'another attr'
        at += attr_size
        ids, n = u32(f.b, at), u32(f.b, at + 4)
        assert f.b[at + 8] and b'\0' in f.b[at + 8:at + 8 + n], 'no name'
        at += 8 + n
        assert [u64(f.b, at + 8 * k) for k in range(ids)] == f.ids(i), 'other ids'
        at += 8 * ids
    assert at == end


def check_version(f):
    m = re.match(r'(\d+)\.(\d+)', f.string(VERSION))
    assert m and (int(m[1]), int(m[2])) >= (3, 17), f.string(VERSION)


def check_strings(f):
    for feature in STRINGS:
        at, size = f.features[feature]
        n = u32(f.b, at)
        assert n == size - 4 and n % 64 == 0, 'not padded to 64'
        assert f.b[at + 4] and f.b[at + 3 + n] == 0, 'empty, or without an end'


def check_arch(f):
    assert f.string(ARCH) in ('x86_64', 'aarch64', 'sparc64', 'ia64'), f.string(ARCH)


def check_hostname(f):
    assert f.string(HOSTNAME)


def check_cmdline(f):
    at, size = f.features[CMDLINE]
    assert u32(f.b, at) >= 1 and f.b[at + 8]


def check_pmus(f):
    at, size = f.features[PMUS]
    nr, end, at = u32(f.b, at), at + size, at + 4
    assert nr, 'none'
    for _ in range(nr):
        n = u32(f.b, at + 4)
        assert b'\0' in f.b[at + 8:at + 8 + n]
        at += 8 + n
    assert at == end


def check_topology(f):
    assert NRCPUS in f.features, 'no NRCPUS'
    assert CPU_TOPOLOGY not in f.features or f.features[NRCPUS][0] < f.features[CPU_TOPOLOGY][0]


def check_build_ids(f):
    at, size = f.features[BUILD_ID]
    end, names = at + size, []
    while at < end:
        kind, misc, n = struct.unpack_from('<IHH', f.b, at)
        length = f.b[at + 32] if misc >> 15 else 20
        assert n > 36 and n % 8 == 4 and 0 < length <= 20, 'a record of size %d' % n
        assert misc & 7 in (1, 2), 'of no level'
        name = f.b[at + 36:at + n]
        assert b'\0' in name
        names.append((misc & 7, name.split(b'\0')[0]))
        at += n
    assert at == end and names
    for mode, name in names:
        assert mode != 1 or name.startswith(b'['), 'a kernel object called %r' % name


def check_sizes(f):
    for feature, (at, size) in f.features.items():
        assert size or feature in (BRANCH, STAT), 'feature %d has no bytes' % feature
        assert at + size <= len(f.b), 'feature %d lies outside' % feature


def check_compressed(f):
    packed = any(kind in (81, 83) for _, kind, _, _ in f.records())
    assert packed == (COMPRESSED in f.features), 'the feature and the records disagree'
    if packed:
        at, _ = f.features[COMPRESSED]
        assert u32(f.b, at) == 0 and u32(f.b, at + 4) == 1 and u32(f.b, at + 16) >= 4096


def check_records(f):
    for at, kind, misc, size in f.records():
        assert kind in (81,) or size % 8 == 0, 'type %d, size %d' % (kind, size)


def check_rounds(f):
    """When round n + 1 has ended, nothing older than the latest of round n may come."""
    if COMPRESSED in f.features:
        return
    latest = limit = marks = 0
    floors = []
    for at, kind, misc, size in f.records():
        if kind == 68:
            limit, marks = latest, marks + 1
            floors.append(limit)
            continue
        time = f.time(at, kind, size)
        if not time:
            continue
        assert len(floors) < 2 or time >= floors[-2], 'a record of %d after a round that told of %d' % (time, floors[-2])
        latest = max(latest, time)
    assert marks, 'no round has an end'


def check_times(f):
    if COMPRESSED in f.features:
        return
    at, _ = f.features[TIMES]
    times = [f.time(a, kind, size) for a, kind, misc, size in f.records() if kind == 9]
    assert not times or (u64(f.b, at), u64(f.b, at + 8)) == (min(times), max(times))


def check_names(f):
    """A sample's thread has a name before it in time, but for few that began while /proc was read."""
    if COMPRESSED in f.features:
        return
    named, seen, unnamed, t = {0}, set(), set(), f.sample_type(0)
    for at, kind, misc, size in sorted(f.records(), key=lambda r: f.time(r[0], r[1], r[3]) or 0):
        if kind == 3:
            named.add(u32(f.b, at + 12))
        elif kind == 7:
            named.add(u32(f.b, at + 16))
        elif kind == 9:
            tid = u32(f.b, at + 8 + 8 * bool(t & IDENT) + 8 * bool(t & 1) + 4)
            seen.add(tid)
            if tid not in named:
                unnamed.add(tid)
    assert len(unnamed) <= max(3, len(seen) / 20), 'threads %r of %d' % (unnamed, len(seen))


def poke(off, fmt, value):
    def spoil(b, f):
        struct.pack_into(fmt, b, off(f), value)
    return spoil


def feature_at(feature, off=0):
    return lambda f: f.features[feature][0] + off


def drop_feature(feature):
    def spoil(b, f):
        b[72 + feature // 8] &= ~(1 << feature % 8)
        at = f.data_at + f.data_len
        table = [e for bit, e in sorted(f.features.items()) if bit != feature]
        for i, (o, s) in enumerate(table):
            struct.pack_into('<QQ', b, at + 16 * i, o, s)
    return spoil


def table_size(b, f):
    struct.pack_into('<Q', b, f.data_at + f.data_len + 8, 0)


def old_record(b, f):
    """The second and third sample become marks, and the last one is from before the first."""
    samples = [at for at, kind, misc, size in f.records() if kind == 9]
    for at in samples[1:3]:
        struct.pack_into('<I', b, at, 68)
    place = 8 + 8 + 8 + 8 * bool(f.sample_type(0) & TID)
    struct.pack_into('<Q', b, samples[-1] + place, u64(b, samples[0] + place) - 1000)


def first_record(kind_wanted, off, fmt, value):
    def spoil(b, f):
        at = next(at for at, kind, misc, size in f.records() if kind == kind_wanted)
        struct.pack_into(fmt, b, at + off, value)
    return spoil


def no_names(b, f):
    for at, kind, misc, size in f.records():
        if kind in (3, 7):
            struct.pack_into('<I', b, at + (12 if kind == 3 else 16), 4000000)


CHECKS = [
    ('perf: header of 104 bytes, no event types', check_header, poke(lambda f: 56, '<Q', 8)),
    ('perf: attr.size is attr_size - 16', check_attr_size, poke(lambda f: f.attrs_at + 4, '<I', 120)),
    ('perf 6.1: no attr that is newer', check_attr_old, poke(lambda f: 16, '<Q', 152)),
    ('linux-perf-data: IDENTIFIER on all, the same sample_id_all and read_format', check_same_ids,
     poke(lambda f: f.attrs[-1] + 32, '<Q', 1)),
    ('linux-perf-data: EVENT_DESC tells the same as the attrs', check_event_desc, poke(feature_at(EVENT_DESC), '<I', 77)),
    ('perfparser: VERSION is a number from 3.17 on', check_version, poke(feature_at(VERSION, 4), '<4s', b'pcl ')),
    ('perfparser: texts are padded and have an end', check_strings, poke(feature_at(OSRELEASE), '<I', 63)),
    ('perfparser: ARCH', check_arch, drop_feature(ARCH)),
    ('quipper: HOSTNAME', check_hostname, drop_feature(HOSTNAME)),
    ('perfparser: CMDLINE has a first word', check_cmdline, poke(feature_at(CMDLINE), '<I', 0)),
    ('quipper: PMU_MAPPINGS is not empty', check_pmus, poke(feature_at(PMUS), '<I', 0)),
    ('quipper: NRCPUS, and CPU_TOPOLOGY behind it', check_topology, drop_feature(NRCPUS)),
    ('perfparser: build ids of 20 + 4 bytes; quipper: [kernel.kallsyms]', check_build_ids,
     poke(feature_at(BUILD_ID, 6), '<H', 33)),
    ('perfparser: no feature without bytes', check_sizes, table_size),
    ('perfparser: COMPRESSED has version 0, when there is something compressed', check_compressed,
     first_record(68, 0, '<I', 81)),
    ('all: records of whole words, up to the end of the data', check_records, first_record(9, 6, '<H', 12)),
    ('perf, linux-perf-data: rounds hold their promise', check_rounds, old_record),
    ('linux-perf-data: SAMPLE_TIME is that of the samples', check_times, poke(feature_at(TIMES), '<Q', 5)),
    ('all: threads are named before their samples', check_names, no_names),
]


def run(check, b):
    try:
        check(File(b))
        return None
    except (AssertionError, KeyError, ValueError, IndexError, struct.error, StopIteration) as e:
        return '%s %s' % (type(e).__name__, e)


def main():
    spoiling = sys.argv[1] == '--self'
    whole = open(sys.argv[-1], 'rb').read()
    bad = 0
    for i, (name, check, spoil) in enumerate(CHECKS, 1):
        if spoiling:
            b = bytearray(whole)
            spoil(b, File(whole))
            fine = run(check, bytes(b)) is not None
            why = 'the spoiled file passes'
        else:
            why = run(check, whole)
            fine = why is None
        bad += not fine
        print('%sok %d - %s%s' % ('' if fine else 'not ', i, 'spoiled: ' if spoiling else '', name))
        if not fine:
            print('# %s' % why)
    print('1..%d' % len(CHECKS))
    return bad != 0


if __name__ == '__main__':
    sys.exit(main())
