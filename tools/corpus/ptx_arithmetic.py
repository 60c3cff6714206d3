"""Arithmetic of PTX that Python's operators do not have; what translated code calls by these names.

Registers of integers hold Python's ints, not negative; those of floats Python's floats, rounded to their width.
"""
import math
import struct

SINGLE, WORD = struct.Struct('<f'), struct.Struct('<I')
DOUBLE, LONG = struct.Struct('<d'), struct.Struct('<Q')


def rounded(x):
    """To the nearest float of 32 bits."""
    try:
        return SINGLE.unpack(SINGLE.pack(x))[0]
    except OverflowError:
        return math.copysign(math.inf, x)


def signed(x, bits):
    x &= (1 << bits) - 1
    return x - (1 << bits) if x >> (bits - 1) else x


def float_of(bits):
    return SINGLE.unpack(WORD.pack(bits))[0]


def bits_of(x):
    return WORD.unpack(SINGLE.pack(x))[0]


def double_of(bits):
    return DOUBLE.unpack(LONG.pack(bits))[0]


def long_of(x):
    return LONG.unpack(DOUBLE.pack(x))[0]


def divided(a, b):
    if b == 0:
        return math.nan if a == 0 or a != a else math.copysign(math.inf, a) * math.copysign(1, b)
    return a / b


def quotient(a, b):
    """Of integers, towards 0."""
    q = abs(a) // abs(b)
    return -q if (a < 0) != (b < 0) else q


def remainder(a, b):
    return a - b * quotient(a, b)


def least(a, b):
    return b if a != a or b < a else a


def most(a, b):
    return b if a != a or b > a else a


def root(x):
    return math.sqrt(x) if x >= 0 else math.nan


def power_of_2(x):
    return math.inf if x >= 1024 else 2.0 ** x if x == x else x


def logarithm_2(x):
    return math.log2(x) if x > 0 else -math.inf if x == 0 else math.nan


def integer(x, mode, low, high):
    """A float as an integer: rounded by mode, kept within limits; NaN is 0."""
    if x != x:
        return 0
    if math.isinf(x):
        return low if x < 0 else high
    return max(low, min(high, int(ROUND[mode](x))))


ROUND = {'rni': round, 'rzi': math.trunc, 'rmi': math.floor, 'rpi': math.ceil}


def whole(x, mode):
    """A float rounded to a whole float."""
    return x if x != x or math.isinf(x) else math.copysign(float(ROUND[mode](x)), x)


def reverse_bits(x, bits):
    return int(format(x, '0%db' % bits)[::-1], 2)


def field(x, start, count, bits, is_signed):
    """bfe: a field of bits; beyond the register the sign goes on."""
    start, count = start & 0xff, count & 0xff
    if count == 0:
        return 0
    wide = signed(x, bits) if is_signed else x
    value = wide >> start & (1 << count) - 1
    return signed(value, count) if is_signed else value


def with_field(a, b, start, count, bits):
    """bfi: b with the low bits of a from start on."""
    start, count = start & 0xff, count & 0xff
    mask = (1 << count) - 1 << start
    return (b & ~mask | a << start & mask) & (1 << bits) - 1


def permuted(a, b, selector):
    """prmt: four bytes out of eight."""
    pool, result = a | b << 32, 0
    for i in range(4):
        choice = selector >> 4 * i & 15
        byte = pool >> 8 * (choice & 7) & 255
        result |= (255 if choice & 8 and byte >> 7 else 0 if choice & 8 else byte) << 8 * i
    return result


def funnel(low, high, count, to_left, wraps):
    count = count & 31 if wraps else min(count, 32)
    both = low | high << 32
    return (both << count >> 32 if to_left else both >> count) & 0xffffffff


def three_inputs(a, b, c, table):
    """lop3: a function of three bits, by its table."""
    result = 0
    for i in range(8):
        if table >> i & 1:
            result |= (a if i & 4 else ~a) & (b if i & 2 else ~b) & (c if i & 1 else ~c)
    return result & 0xffffffff


def highest_bit(x, bits, is_signed):
    if is_signed and x >> (bits - 1):
        x = ~x & (1 << bits) - 1
    return x.bit_length() - 1 & 0xffffffff


def dot_bytes(a, b, c, a_signed, b_signed):
    for i in range(4):
        x, y = a >> 8 * i & 255, b >> 8 * i & 255
        c += (signed(x, 8) if a_signed else x) * (signed(y, 8) if b_signed else y)
    return c


def sum_of_differences(a, b, c):
    return c + abs(a - b)
