#!/usr/bin/env python3
"""time_ranges.py BUILD [--kept FOLDER] - how far are measured times from the modelled ones, and in how many cases does a
range that says so keep its word?

Runs `warplens validate` on every file of validation/ that has times, and the table of published times, and writes the
ranges to src/result/time_ranges.def and their tables to docs/model.md, 12.21. Build and record goldens afterwards. What the commands print is kept in
FOLDER (build/time_ranges unless it is named) and taken from there when it is newer than the program, or when --kept names it.

A kind is a program of validation/applications, a topic of the gallery, or a kernel of the sweeps: what somebody else runs
is a kind that is not among them. So every kind weighs the same, however many launches it has, and each range is tried on
the kinds in turn that were left out when it was made.
"""
import argparse
import bisect
import collections
import itertools
import math
import pathlib
import re

from measured_times import ROOT, gather, measure
JUDGES = ['sweeps_judge', 'applications_judge']
SHORT_BELOW_NS = 10000  # TIME_RANGE_SHORT_BELOW_NS
PERCENT = 80  # TIME_RANGE_PERCENT
LEAST_LAUNCHES, LEAST_KINDS = 20, 8
ORDER_BOUNDS = [1.01, 1.1, 1.2, 1.5, 2, 3, math.inf]


# ---- Ranges -------------------------------------------------------------------------------------------------

def by_kind(launches):
    kinds = collections.defaultdict(list)
    for launch in launches:
        kinds[launch.kind].append(launch)
    return kinds


def quantiles(kinds, share, left_out=None):
    """What the middle `share` of measured over modelled lies between, every kind weighing the same; they hold 1."""
    weighted = sorted((launch.measured / launch.modelled, 1 / len(launches))
                      for kind, launches in kinds.items() if kind != left_out for launch in launches)
    sums = list(itertools.accumulate(weight for _, weight in weighted))
    low, high = (weighted[min(bisect.bisect_left(sums, edge * sums[-1]), len(sums) - 1)][0]
                 for edge in ((1 - share) / 2, (1 + share) / 2))
    return min(1, low), max(1, high)


def share_within(launches, bounds):
    return sum(bounds[0] <= launch.measured / launch.modelled <= bounds[1] for launch in launches) / len(launches)


def is_program(launches):
    return launches[0].source.startswith('applications')


def mean(values):
    values = list(values)
    return sum(values) / len(values) if values else math.nan


# What lies in the range that the other kinds make: of the mean kind, of the mean program, of the launches.
Coverage = collections.namedtuple('Coverage', 'kinds programs launches program_kinds')


def coverage_of(kinds, within):
    """`within`: kind -> the share of its launches."""
    programs = [within[kind] for kind, launches in kinds.items() if is_program(launches)]
    count = sum(map(len, kinds.values()))
    return Coverage(mean(within.values()), mean(programs), sum(within[kind] * len(kinds[kind]) for kind in kinds) / count,
                    len(programs))


def coverage(kinds, share):
    return coverage_of(kinds, {kind: share_within(launches, quantiles(kinds, share, kind))
                               for kind, launches in kinds.items()})


def keeps_its_word(covered):
    least = PERCENT / 100
    return covered.kinds >= least and (covered.program_kinds < LEAST_KINDS or covered.programs >= least)


class Range:
    """The quantiles of few kinds hold too little of one that is not among them: they are taken further out, until 80 % of
    the mean kind left out are inside; of programs, too, where there are enough of them, since they are what people run
    and further off than the patterns that the model is made of."""

    def __init__(self, kinds):
        self.kinds = kinds
        self.share = next((share / 100 for share in range(PERCENT, 100) if keeps_its_word(coverage(kinds, share / 100))), 1)
        self.bounds = quantiles(kinds, self.share)
        self.without = {}

    def left_out(self, kind):
        """The range that the other kinds make."""
        if kind not in self.without:
            self.without[kind] = quantiles(self.kinds, self.share, kind)
        return self.without[kind]


def length_of(launch):
    return 'SHORT' if launch.modelled < SHORT_BELOW_NS else 'LONG'


# A cell: how a launch is in it. None stands for any; of limiters OTHERS for those that have no cell of their own.
Cell = collections.namedtuple('Cell', 'family limiter length')
OTHERS = 'others'


def holds(cell, launch):
    return cell.family in (None, launch.family) and cell.limiter in (None, OTHERS, launch.limiter) and \
        cell.length in (None, length_of(launch))


def candidates(limiters):
    """Narrowest first: what fits into none before falls to others, and when these are too few to all."""
    for limiter in list(limiters) + [OTHERS, None]:
        yield from (Cell('Hopper', limiter, length) for length in ('SHORT', 'LONG'))
    yield from (Cell(family, None, None) for family in ('Tesla', 'Fermi', None))


def is_covered(cell, found):
    return cell._replace(limiter=OTHERS) in found


def cells_of(launches, limiters):
    found = {}
    for cell in candidates(limiters):
        kinds = by_kind(launch for launch in launches if holds(cell, launch) and
                        not (cell.limiter == OTHERS and any(holds(other, launch) for other in found)))
        # Published figures are of copies, transposes and reductions alone.
        is_wide = any(launch.source != 'published' for kind in kinds.values() for launch in kind)
        if is_wide and sum(map(len, kinds.values())) >= LEAST_LAUNCHES and len(kinds) >= LEAST_KINDS and \
                not is_covered(cell, found):
            found[cell] = Range(kinds)
    return found


def first_cell(cells, launch):
    return next(cell for cell in cells if holds(cell, launch))


# ---- Order --------------------------------------------------------------------------------------------------

def related(launches):
    """Pairs that somebody would compare: kernels of one program's run, of one topic of the gallery at one size, or one
    kernel of the sweeps with other parameters."""
    groups = collections.defaultdict(list)
    for launch in launches:
        if launch.source != 'published':
            groups[launch.run + (launch.kind,)].append(launch)
    for group in groups.values():
        yield from ((a, b) for a, b in itertools.combinations(group, 2) if a.function != b.function)


def orders_of(launches):
    """By how far modelled times are apart: kind -> whether pairs were in that order."""
    found = [collections.defaultdict(list) for _ in ORDER_BOUNDS[1:]]
    for a, b in related(launches):
        ratio = max(a.modelled, b.modelled) / min(a.modelled, b.modelled)
        place = bisect.bisect_right(ORDER_BOUNDS, ratio) - 1
        if 0 <= place < len(found):
            found[place][a.kind].append((a.modelled < b.modelled) == (a.measured < b.measured))
    return found


def order_share(kinds):
    return sum(sum(pairs) / len(pairs) for pairs in kinds.values()) / len(kinds)


# ---- Output -------------------------------------------------------------------------------------------------

def limiter_names():
    text = (ROOT / 'src/sim/counters/limiters.def').read_text()
    return {name: resource for resource, name in re.findall(r'^LIMITER\((\w+), \w+, \w+, "([^"]*)"', text, re.M)}


DEF_HEAD = '''/* time_ranges.def - made by tools/time_ranges.py of what was measured; docs/model.md, 12.21, says how. The first row that
 * fits a launch is its own.
 *
 * TIME_FAMILY(family, launches): generations of which times are known.
 * TIME_RANGE(family, limiter, length, low, high, launches, kinds): what %d %% of measured over modelled times lie between.
 * TIME_ORDER(family, least, below, in_order, pairs, kinds): of pairs whose modelled times are so many times apart, the share
 * whose measured times had the same order. */
#ifndef TIME_FAMILY
#define TIME_FAMILY(family, launches)
#endif
#ifndef TIME_RANGE
#define TIME_RANGE(family, limiter, length, low, high, launches, kinds)
#endif
#ifndef TIME_ORDER
#define TIME_ORDER(family, least, below, in_order, pairs, kinds)
#endif
''' % PERCENT
DEF_TAIL = '''
#undef TIME_FAMILY
#undef TIME_RANGE
#undef TIME_ORDER
'''


def size_of(kinds):
    return sum(map(len, kinds.values())), len(kinds)


def def_lines(launches, cells, orders, limiters):
    yield DEF_HEAD
    for family, count in sorted(collections.Counter(launch.family for launch in launches).items()):
        yield 'TIME_FAMILY("%s", %d)' % (family, count)
    yield ''
    for cell, of in cells.items():
        yield 'TIME_RANGE(%s, %s, %s, %.3f, %.3f, %d, %d)' % (
            ('"%s"' % cell.family if cell.family else 'ALL_FAMILIES',
             {None: 'ANY', OTHERS: 'OTHERS'}.get(cell.limiter) or 'LIMITED_BY(%s)' % limiters[cell.limiter],
             cell.length or 'ANY_LENGTH') + of.bounds + size_of(of.kinds))
    yield ''
    for least, below, kinds in zip(ORDER_BOUNDS, ORDER_BOUNDS[1:], orders):
        yield 'TIME_ORDER("Hopper", %g, %s, %.3f, %d, %d)' % (
            (least, 'INFINITY' if math.isinf(below) else '%g' % below, order_share(kinds)) + size_of(kinds))
    yield DEF_TAIL.rstrip('\n')


def percent(share):
    return '-' if math.isnan(share) else '%.0f %%' % (100 * share)


def words(cell):
    length = {'SHORT': 'under 10 us', 'LONG': 'over 10 us', None: 'any'}[cell.length]
    return '%s | %s | %s' % (cell.family or 'all', cell.limiter or 'any', length)


def range_rows(cells):
    yield '| family | limiter | time | launches | kinds | programs | range | kinds left out | programs left out | launches left out |'
    yield '|---|---|---|---|---|---|---|---|---|---|'
    for cell, of in cells.items():
        covered = coverage(of.kinds, of.share)
        yield '| %s | %d | %d | %d | %.2f to %.2f | %.0f %% | %s | %.0f %% |' % (
            (words(cell),) + size_of(of.kinds) + (covered.program_kinds,) + of.bounds +
            (100 * covered.kinds, percent(covered.programs), 100 * covered.launches))


def overall(launches, cells):
    """What a user gets: each launch in the range of its cell that the other kinds make."""
    kinds = by_kind(launches)
    within = {kind: mean(share_within([launch], cells[first_cell(cells, launch)].left_out(kind)) for launch in of)
              for kind, of in kinds.items()}
    return coverage_of(kinds, within), size_of(kinds)


def judged(launches, limiters):
    """Ranges of all but the judging halves, tried on these."""
    cells = cells_of([launch for launch in launches if launch.source not in JUDGES], limiters)
    for source in JUDGES:
        kinds = by_kind(launch for launch in launches if launch.source == source)
        shares = [sum(share_within([launch], cells[first_cell(cells, launch)].bounds) for launch in of) / len(of)
                  for of in kinds.values()]
        yield source, sum(shares) / len(shares), size_of(kinds)


def sums(launches, cells):
    """Runs of several launches: the measured sum in the sum of the ranges, by kind."""
    runs, shares = collections.defaultdict(list), collections.defaultdict(list)
    for launch in launches:
        if launch.source.startswith('applications'):
            runs[launch.run, launch.kind].append(launch)
    for (_, kind), of in runs.items():
        low, high = (sum(cells[first_cell(cells, launch)].left_out(kind)[edge] * launch.modelled for launch in of)
                     for edge in (0, 1))
        shares[kind].append(low <= sum(launch.measured for launch in of) <= high)
    return sum(sum(s) / len(s) for s in shares.values()) / len(shares), len(runs), len(shares)


def families(launches):
    """The range of all families, made without one of them, on that one."""
    for family in sorted({launch.family for launch in launches}):
        own = [launch for launch in launches if launch.family == family]
        others = Range(by_kind(launch for launch in launches if launch.family != family))
        yield family, coverage_of(by_kind(own), {kind: share_within(of, others.bounds)
                                                 for kind, of in by_kind(own).items()}), size_of(by_kind(own))


def report_lines(launches, cells, orders, limiters):
    yield from range_rows(cells)
    yield ''
    covered, size = overall(launches, cells)
    yield '- All, each by its cell: %.0f %% of the mean kind left out, %.0f %% of the mean program, %.0f %% of the launches; ' \
        '%d launches of %d kinds.' % ((100 * covered.kinds, 100 * covered.programs, 100 * covered.launches) + size)
    for source, share, size in judged(launches, limiters):
        yield '- Ranges of all but the judging halves, on %s: %.0f %%; %d launches of %d kinds.' % ((source, 100 * share) + size)
    for family, covered, size in families(launches):
        yield '- The range of the other families, on %s: %.0f %% of the mean kind, of the mean program %s; %d launches of %d kinds.' % (
            (family, 100 * covered.kinds, percent(covered.programs)) + size)
    yield '- Runs of several launches: %.0f %% of the mean kind; %d runs of %d kinds.' % (
        (lambda share, count, kinds: (100 * share, count, kinds))(*sums(launches, cells)))
    yield ''
    yield '| modelled times apart | pairs | kinds | in that order |'
    yield '|---|---|---|---|'
    for least, below, kinds in zip(ORDER_BOUNDS, ORDER_BOUNDS[1:], orders):
        yield '| %s | %d | %d | %.0f %% |' % (
            ('%g times and more' % least if math.isinf(below) else '%g to %g times' % (least, below),) + size_of(kinds) +
            (100 * order_share(kinds),))


BEGIN, END = '<!-- time ranges: made by tools/time_ranges.py -->\n', '<!-- end of time ranges -->'


def write_docs(lines):
    path = ROOT / 'docs/model.md'
    text = path.read_text()
    begin, end = text.index(BEGIN) + len(BEGIN), text.index(END)
    path.write_text(text[:begin] + '\n' + '\n'.join(lines) + '\n\n' + text[end:])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('build', type=pathlib.Path)
    parser.add_argument('--kept', type=pathlib.Path)
    arguments = parser.parse_args()
    build = arguments.build.resolve()
    folder = arguments.kept or build / 'time_ranges'
    launches = gather(measure(build, folder, arguments.kept is not None), folder)
    limiters = limiter_names()
    cells, orders = cells_of(launches, limiters), orders_of(launches)
    (ROOT / 'src/result/time_ranges.def').write_text('\n'.join(def_lines(launches, cells, orders, limiters)) + '\n')
    lines = list(report_lines(launches, cells, orders, limiters))
    write_docs(lines)
    print('\n'.join(lines))


if __name__ == '__main__':
    main()
