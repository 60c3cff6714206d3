"""Instructions of PTX that only compute, or make threads of a warp meet: their Python."""
from ptx_code import COMPARE, UNORDERED, WINDOWS, Unknown, bits, masked

LIMITS = {kind: (-(1 << w - 1), (1 << w - 1) - 1) if kind[0] == 's' else (0, (1 << w) - 1)
          for kind in ('s8', 's16', 's32', 's64', 'u8', 'u16', 'u32', 'u64') for w in [int(kind[1:])]}


def kind_of(one):
    return one.types[-1]


def modular(kind):
    """Sums and products are the same for signed and unsigned numbers."""
    return kind if kind[0] == 'f' else 'u' + kind[1:]


def operator(template):
    """An operation that is right modulo 2^bits."""
    def make(t, one, _):
        kind = modular(kind_of(one))
        value = template % tuple(t.read(operand, kind) for operand in one.operands[1:])
        if kind == 'f32':
            value = 'rounded(%s)' % value
        return t.write(one.operands[0], kind, masked(value, bits(kind)) if kind[0] == 'u' else value)
    return make


def exact(template):
    """An operation that needs its operands with their sign, and whose result fits."""
    def make(t, one, _):
        kind = kind_of(one)
        value = template % tuple(t.read(operand, kind) for operand in one.operands[1:])
        return t.write(one.operands[0], kind, 'rounded(%s)' % value if kind == 'f32' else value)
    return make


def logic(template):
    def make(t, one, _):
        kind = kind_of(one)
        value = template % tuple(t.read(operand, kind) for operand in one.operands[1:])
        if '~' in value:
            value = value.replace('~', 'not ') if kind == 'pred' else masked(value, bits(kind))
        return t.write(one.operands[0], kind, value)
    return make


def product(t, one, _, addend=None):
    """mul and mad: low, high or wide."""
    kind, form = kind_of(one), next((w for w in one.types if w in ('lo', 'hi', 'wide')), 'lo')
    if kind[0] == 'f':
        form, value = '', '%s * %s' % tuple(t.read(operand, kind) for operand in one.operands[1:3])
    else:
        value = '%s * %s' % tuple(t.read(operand, kind) for operand in one.operands[1:3])
    result = kind[0] + str(2 * bits(kind)) if form == 'wide' else kind
    if form == 'hi':
        value = '(%s >> %d)' % (value, bits(kind))
    if addend:
        value += ' + ' + t.read(addend, result)
    if kind[0] == 'f':
        return t.write(one.operands[0], kind, 'rounded(%s)' % value if kind == 'f32' else value)
    return t.write(one.operands[0], result, masked(value, bits(result)))


def multiply_add(t, one, number):
    return product(t, one, number, one.operands[3])


def divide(t, one, _):
    kind = kind_of(one)
    name = 'divided' if kind[0] == 'f' else 'quotient'
    value = '%s(%s, %s)' % ((name,) + tuple(t.read(operand, kind) for operand in one.operands[1:]))
    return t.write(one.operands[0], kind, 'rounded(%s)' % value if kind == 'f32' else value)


def shift(t, one, _):
    kind, left = kind_of(one), one.op == 'shl'
    value, count = t.read(one.operands[1], kind), t.read(one.operands[2], 'u32')
    if left:
        return t.write(one.operands[0], kind, masked('%s << min(%s, 64)' % (value, count), bits(kind)))
    return t.write(one.operands[0], kind, '%s >> min(%s, 64)' % (value, count))


def compared(t, relation, kind, a, b):
    a, b = t.read(a, kind), t.read(b, kind)
    if relation == 'nan':
        return '(%s != %s or %s != %s)' % (a, a, b, b)
    if relation == 'num':
        return '(%s == %s and %s == %s)' % (a, a, b, b)
    if relation in UNORDERED:
        test = 'not (%s %s %s)' % (a, UNORDERED[relation], b)
        if relation in ('equ', 'neu'):  # Python's != is true of NaN, == is not
            test = '(%s %s %s%s)' % (a, '!=' if relation == 'neu' else '==', b,
                                     ' or %s != %s or %s != %s' % (a, a, b, b) if relation == 'equ' else '')
        return '(%s)' % test
    if relation == 'ne' and kind[0] == 'f':
        return '(%s < %s or %s > %s)' % (a, b, a, b)
    return '(%s %s %s)' % (a, COMPARE[relation], b)


def set_predicate(t, one, _):
    kind, relation = kind_of(one), one.types[0]
    value = compared(t, relation, kind, *one.operands[1:3])
    if one.types[1] in ('and', 'or', 'xor'):
        other = one.operands[3]
        more = ('not ' + t.read(other[1:], 'pred')) if other[0] == '!' else t.read(other, 'pred')
        value = '%s %s (%s)' % (value, {'xor': '!='}.get(one.types[1], one.types[1]), more)
    first, _, second = one.operands[0].partition('|')
    made = [t.write(first, 'pred', value)]
    return made + ([t.write(second, 'pred', 'not ' + first[1:])] if second else [])


def select(t, one, _):
    kind = kind_of(one)
    a, b = (t.read(operand, kind) for operand in one.operands[1:3])
    return t.write(one.operands[0], kind, '%s if %s else %s' % (a, t.read(one.operands[3], 'pred'), b))


def move(t, one, _):
    kind, (to, source) = kind_of(one), one.operands
    if source.startswith('{'):
        parts = [p.strip() for p in source.strip('{}').split(',')]
        width = bits(kind) // len(parts)
        terms = ['%s << %d' % (t.read(part, 'b%d' % width), width * i) for i, part in enumerate(parts)]
        return t.write(to, kind, ' | '.join('(%s)' % term for term in terms))
    if to.startswith('{'):
        parts = [p.strip() for p in to.strip('{}').split(',')]
        width = bits(kind) // len(parts)
        made = ['got = ' + t.read(source, kind)]
        return made + [t.write(part, 'b%d' % width, masked('got >> %d' % (width * i), width))
                       for i, part in enumerate(parts) if part != '_']
    if kind == 'pred':
        return t.write(to, kind, t.read(source, kind))
    return t.write(to, kind, t.read(source, kind))


def convert(t, one, _):
    to, source = one.types[-2:]
    value = t.read(one.operands[1], source)
    mode = next((w for w in one.types if w in ('rni', 'rzi', 'rmi', 'rpi')), None)
    if 'f16' in (to, source) or 'bf16' in (to, source):
        raise Unknown(one.text)
    if source[0] == 'f' and to[0] != 'f':
        value = "integer(%s, '%s', %d, %d)" % ((value, mode) + LIMITS[to])
    elif source[0] == 'f' and mode:
        value = "whole(%s, '%s')" % (value, mode)
    elif to[0] == 'f' and source[0] != 'f':
        value = 'float(%s)' % value
    elif 'sat' in one.types and to[0] != 'f':
        value = 'max(%d, min(%d, %s))' % (LIMITS[to] + (value,))
    if 'sat' in one.types and to[0] == 'f':
        value = 'max(0.0, min(1.0, %s))' % value
    return t.write(one.operands[0], to, 'rounded(%s)' % value if to == 'f32' else value)


def convert_address(t, one, _):
    space = next((word for word in one.types if word in WINDOWS), None)
    value = t.read(one.operands[1], 'u64')
    if space:
        value += ' %s 0x%x' % ('-' if 'to' in one.types else '+', WINDOWS[space])
    return t.write(one.operands[0], 'u64', value)


def call(name, count, *more):
    """A function of ptx_arithmetic that takes unsigned operands."""
    def make(t, one, _):
        kind = kind_of(one)
        values = [t.read(operand, kind) for operand in one.operands[1:1 + count]]
        return t.write(one.operands[0], modular(kind), '%s(%s)' % (name, ', '.join(values + list(more))))
    return make


def floats(template):
    def make(t, one, _):
        kind = kind_of(one)
        value = template % t.read(one.operands[1], kind)
        return t.write(one.operands[0], kind, 'rounded(%s)' % value if kind == 'f32' else value)
    return make


def bit_field(t, one, _):
    kind = kind_of(one)
    value = t.read(one.operands[1], modular(kind))
    start, count = (t.read(operand, 'u32') for operand in one.operands[2:])
    return t.write(one.operands[0], kind, 'field(%s, %s, %s, %d, %s)' % (value, start, count, bits(kind), kind[0] == 's'))


def insert_field(t, one, _):
    kind = kind_of(one)
    values = [t.read(operand, kind) for operand in one.operands[1:3]] + [t.read(o, 'u32') for o in one.operands[3:]]
    return t.write(one.operands[0], kind, 'with_field(%s, %d)' % (', '.join(values), bits(kind)))


def funnel_shift(t, one, _):
    values = ', '.join(t.read(operand, 'u32') for operand in one.operands[1:])
    return t.write(one.operands[0], 'u32', 'funnel(%s, %s, %s)' % (values, 'l' in one.types, 'wrap' in one.types))


def count_bits(template):
    def make(t, one, _):
        kind = modular(kind_of(one)) if kind_of(one)[0] != 'b' else kind_of(one)
        return t.write(one.operands[0], 'u32', template % dict(x=t.read(one.operands[1], kind), bits=bits(kind)))
    return make


def dot(t, one, _):
    a, b, c = one.operands[1:]
    first, second = one.types[-2:]
    return t.write(one.operands[0], 's32', masked('dot_bytes(%s, %s, %s, %s, %s)' % (
        t.read(a, 'u32'), t.read(b, 'u32'), t.read(c, 's32'), first[0] == 's', second[0] == 's'), 32))


def barrier(t, one, _):
    if one.types[:1] == ['warp']:
        return "yield 'warp', %d, %s" % (_, t.read(one.operands[0], 'u32'))
    if len(one.operands) > 1 or 'sync' not in one.types:
        raise Unknown(one.text)
    return "yield ('block',)"


def shuffle(t, one, number):
    mode = next(w for w in one.types if w in ('idx', 'up', 'down', 'bfly'))
    to, _, valid = one.operands[0].partition('|')
    value, lane, limits, mask = (t.read(operand, 'b32') for operand in one.operands[1:])
    made = ["got = yield 'shuffle', %d, %s, '%s', %s, %s, %s" % (number, mask, mode, value, lane, limits),
            t.write(to, 'b32', 'got[0]')]
    return made + ([t.write(valid, 'pred', 'got[1]')] if valid else [])


def vote(t, one, number):
    mode = next(w for w in one.types if w in ('all', 'any', 'uni', 'ballot'))
    source, mask = one.operands[1:]
    value = ('not ' + t.read(source[1:], 'pred')) if source[0] == '!' else t.read(source, 'pred')
    made = ["got = yield 'vote', %d, %s, '%s', %s" % (number, t.read(mask, 'u32'), mode, value)]
    return made + [t.write(one.operands[0], 'b32' if mode == 'ballot' else 'pred', 'got')]


def nothing(t, one, number):
    return 'pass'


OPS = {
    'add': operator('%s + %s'), 'sub': operator('%s - %s'), 'mul': product, 'mad': multiply_add, 'fma': multiply_add,
    'mul24': product, 'div': divide, 'rem': exact('remainder(%s, %s)'), 'neg': operator('-%s'), 'abs': exact('abs(%s)'),
    'min': exact('least(%s, %s)'), 'max': exact('most(%s, %s)'), 'and': logic('%s & %s'), 'or': logic('%s | %s'),
    'xor': logic('%s ^ %s'), 'not': logic('~%s'), 'shl': shift, 'shr': shift, 'setp': set_predicate, 'selp': select,
    'mov': move, 'cvt': convert, 'cvta': convert_address, 'sqrt': floats('root(%s)'),
    'rsqrt': floats('divided(1.0, root(%s))'), 'rcp': floats('divided(1.0, %s)'), 'ex2': floats('power_of_2(%s)'), 'lg2': floats('logarithm_2(%s)'),
    'sin': floats('math.sin(%s)'), 'cos': floats('math.cos(%s)'), 'tanh': floats('math.tanh(%s)'),
    'popc': count_bits('(%(x)s).bit_count()'), 'clz': count_bits('%(bits)d - (%(x)s).bit_length()'),
    'brev': call('reverse_bits', 1, '32'), 'bfe': bit_field, 'bfi': insert_field, 'prmt': call('permuted', 3),
    'shf': funnel_shift, 'lop3': call('three_inputs', 4), 'sad': exact('sum_of_differences(%s, %s, %s)'), 'dp4a': dot,
    'bfind': count_bits('highest_bit(%(x)s, %(bits)d, False)'), 'bar': barrier, 'barrier': barrier, 'shfl': shuffle,
    'vote': vote, 'membar': nothing, 'fence': nothing, 'nanosleep': nothing,
}
