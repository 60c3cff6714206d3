"""wmma.py - what wmma's m16n16k16 loads and stores become on sm_90 (nvcc 13.0): instructions and lanes' addresses."""
import collections
import itertools

import banks
from patterns import Rule

# kind: ldsm, ld or st; width: bytes a lane; addresses: of 32 lanes.
Instruction = collections.namedtuple('Instruction', 'kind width addresses')


def matrix_rows(order, ld, at):
    """ldmatrix.x4 of a or b: the rows that the lanes name."""
    rows = []
    for lane in range(32):
        inner, outer = lane // 8 % 2 * 8, lane // 16 * 8
        major, minor = (inner + lane % 8, outer) if order == 'row' else (outer + lane % 8, inner)
        rows.append(at + 2 * (major * ld + minor))
    return rows


def by_rows(size, ld, at, i, j):
    """Two neighbouring elements a lane, of quadrant (i, j)."""
    return [at + size * ((lane // 4 + 8 * i) * ld + lane % 4 * 2 + 8 * j) for lane in range(32)]


def by_columns(size, ld, at, i, j, k):
    """An element a lane, k of two neighbours, of quadrant (i, j)."""
    return [at + size * ((lane % 4 * 2 + k + 8 * j) * ld + lane // 4 + 8 * i) for lane in range(32)]


def instructions(p):
    """Of halves stored by columns MOVM transposes the registers: the addresses are those of rows."""
    _, operation, matrix, order, kind, space = p.name.split('.')
    ld, at = p.value('ld', 16), p.value('at')
    if matrix in 'ab' and space == 'shared':
        return [Instruction('ldsm', 16, matrix_rows(order, ld, at))]
    access, size = 'ld' if operation == 'load' else 'st', 2 if kind == 'f16' else 4
    if size == 4 and order == 'col':
        return [Instruction(access, 4, by_columns(size, ld, at, *ijk)) for ijk in itertools.product((0, 1), repeat=3)]
    return [Instruction(access, 2 * size, by_rows(size, ld, at, *ij)) for ij in itertools.product((0, 1), repeat=2)]


def passes_of(instruction):
    if instruction.kind == 'ldsm':
        return banks.matrix_passes(instruction.addresses)
    return banks.passes(list(enumerate(instruction.addresses)), instruction.width, merge_pairs=instruction.kind == 'ld')


def sectors_of(instruction):
    return len({(address + word) // 32 for address in instruction.addresses for word in range(0, instruction.width, 4)})


def summed(kind, space, count):
    """The sum of `count` over the instructions of a kind and a space."""
    def total(p):
        if not p.name.endswith(space):
            return 0
        return sum(count(instruction) for instruction in instructions(p) if instruction.kind == kind)
    return total


def one(_):
    return 1


PASSES, SECTORS = 'l1tex_data_pipe_lsu_wavefronts_mem_shared_op_', 'l1tex_t_sectors_pipe_lsu_mem_global_op_'
RULES = [Rule('wmma', name, 'wmma', 'smsp__sass_' + counter + '.sum', count) for name, counter, count in (
    ('LDSM', 'inst_executed_op_ldsm', summed('ldsm', 'shared', one)),
    ('LDS', 'inst_executed_op_shared_ld', summed('ld', 'shared', one)),
    ('STS', 'inst_executed_op_shared_st', summed('st', 'shared', one)),
    ('LDG', 'inst_executed_op_global_ld', summed('ld', 'global', one)),
    ('STG', 'inst_executed_op_global_st', summed('st', 'global', one)),
    ('passes of LDSM', PASSES + 'ldsm', summed('ldsm', 'shared', passes_of)),
    ('passes of LDS', PASSES + 'ld', summed('ld', 'shared', passes_of)),
    ('passes of STS', PASSES + 'st', summed('st', 'shared', passes_of)),
    ('sectors of LDG', SECTORS + 'ld', summed('ld', 'global', sectors_of)),
    ('sectors of STG', SECTORS + 'st', summed('st', 'global', sectors_of)))]
