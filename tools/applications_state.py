#!/usr/bin/env python3
"""applications_state.py FIT.json JUDGE.json - how far the model is from the measured applications, as the table of
validation/applications/README.md. The files are what `warplens validate validation/h200_applications_HALF.csv
validation/applications --within 30 --format json` writes.
"""
import json
import statistics
import sys

# What a reader looks for, and the counters that are it.
ROWS = [
    ('global load requests', 'l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum'),
    ('global store requests', 'l1tex__t_requests_pipe_lsu_mem_global_op_st.sum'),
    ('global load sectors', 'l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum'),
    ('global store sectors', 'l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum'),
    ('shared load passes', 'smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum'),
    ('shared store passes', 'smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum'),
    ('shared atomic passes', 'smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_atom.sum'),
    ('L1 load hits, sectors', 'l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum'),
    ('L2 sectors read', 'lts__t_sectors_srcunit_tex_op_read.sum'),
    ('L2 sectors written', 'lts__t_sectors_srcunit_tex_op_write.sum'),
    ('DRAM sectors read', 'dram__sectors_read.sum'),
    ('DRAM sectors written', 'dram__sectors_write.sum'),
    ('instructions, estimated', 'smsp__inst_executed.sum'),
    ('time', 'gpu__time_duration.sum'),
]
TIME = 'gpu__time_duration.sum'
LONG_NS = 10000


def ranks(values):
    order = sorted(range(len(values)), key=values.__getitem__)
    found, at = [0.0] * len(values), 0
    while at < len(order):
        end = at
        while end < len(order) and values[order[end]] == values[order[at]]:
            end += 1
        for i in range(at, end):
            found[order[i]] = (at + end - 1) / 2
        at = end
    return found


def correlation(pairs):
    if len(pairs) < 3:
        return '-'
    a, b = ranks([p[0] for p in pairs]), ranks([p[1] for p in pairs])
    return '%.3f' % statistics.correlation(a, b)


def cells(pairs):
    """Launches, equal ones, errors' mean and median, within 30 %, rank."""
    errors = [abs(m - v) / v * 100 for v, m in pairs if v]
    near = sum(v == m or (v and abs(m - v) / v <= 0.3) for v, m in pairs)
    equal = sum(v == m for v, m in pairs)
    return [str(len(pairs)), str(equal), '%.1f' % statistics.mean(errors) if errors else '-',
            '%.1f' % statistics.median(errors) if errors else '-', '%d' % near, correlation(pairs)]


def pairs_of(state, counter, least=0):
    found = []
    for launch in state['launches']:
        values = launch['counters'].get(counter)
        if values and launch['counters'].get(TIME, {'measured': 0})['measured'] >= least:
            found.append((values['measured'], values['modelled']))
    return found


def main():
    states = []
    for path in sys.argv[1:3]:
        with open(path) as file:
            states.append(json.load(file))
    names = ['launches', 'equal', 'mean %', 'median %', 'within 30 %', 'rank']
    print('| | ' + ' | '.join('%s: %s' % (half, name) for half in ('fit', 'judge') for name in names) + ' |')
    print('|---|' + '---|' * (2 * len(names)))
    for row, counter in ROWS:
        print('| ' + ' | '.join([row] + cells(pairs_of(states[0], counter)) + cells(pairs_of(states[1], counter))) + ' |')
    row = 'time, launches of 10 us and more'
    print('| ' + ' | '.join([row] + cells(pairs_of(states[0], TIME, LONG_NS)) + cells(pairs_of(states[1], TIME, LONG_NS))) + ' |')


if __name__ == '__main__':
    main()
