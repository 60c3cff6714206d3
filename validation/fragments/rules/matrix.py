"""matrix.py - ldmatrix and stmatrix: passes and conflicts of shared memory."""
from banks import matrix_passes
from patterns import Rule

OWN = {'ldmatrix': 2, 'stmatrix': 1}   # data passes of the kernel beside the instruction


def matrices(p):
    return int(p.name.split('.')[1][1:])


def passes(p):
    return matrix_passes(p.lists['rows'][:8 * matrices(p)])


def conflicts(p):
    return passes(p) - matrices(p)


def data_passes(p):
    return passes(p) + OWN[p.name.split('.')[0]]


RULES = []
for group, operation in (('ldmatrix', 'ldsm'), ('stmatrix', 'stsm')):
    sass = 'smsp__sass_l1tex_data_%s_mem_shared_op_' + operation + '.sum'
    RULES += [Rule(group, 'passes', group, sass % 'pipe_lsu_wavefronts', passes),
              Rule(group, 'conflicts', group, sass % 'bank_conflicts_pipe_lsu', conflicts),
              Rule(group, 'L1 data passes', group, 'l1tex__data_pipe_lsu_wavefronts.sum', data_passes)]
