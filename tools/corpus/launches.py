"""How kernels of the corpus are launched: reads the description above each kernel, and makes main of it.

A line in front of a kernel describes its launch, its arguments in order:

    //@ NAME<<<GRID, BLOCK[, SHARED BYTES]>>> ARGUMENT...

GRID and BLOCK are N, NxM or NxMxK; NAME may have template arguments. An argument is one of

    n=16            a scalar, as C writes it
    d=Dims{4,2.5f}  a struct of 4-byte members
    x:float[64]=mod7            an array: its elements' type, their number, what is in them
    p:float[64](Particle)=ramp  the same, handed over as a pointer to another type
    x+4:float[60]=ramp          the pointer that is handed over begins 4 elements into the array
    @c:float[16]=ramp           a __constant__ or __device__ variable, no argument

Contents: zero, ramp (0 1 2 ...), rampK (0 K 2K ...), modN (i % N), randN (a hash of i, % N), symN (the same, from -N
to N), or {1,2,3} (the last one is repeated). `~` behind the contents: the order of the results is free.
A kernel belongs to half `a` or `b` by its position in its file: first a, second b, third a, ...
"""
import os
import re
import struct

TYPES = {'float': ('f', 4), 'double': ('d', 8), 'int': ('i', 4), 'uint': ('I', 4), 'char': ('b', 1),
         'uchar': ('B', 1), 'short': ('h', 2), 'ushort': ('H', 2), 'll': ('q', 8), 'ull': ('Q', 8)}
C_NAMES = {'uint': 'unsigned', 'uchar': 'unsigned char', 'ushort': 'unsigned short',
           'll': 'long long', 'ull': 'unsigned long long'}
HEAD = re.compile(r'//@ (\w+)(<[\w, ]+>)?<<<([\dx]+), *([\dx]+)(?:, *(\d+))?>>>(.*)')
ARRAY = re.compile(r'(@?)(\w+)(?:\+(\d+))?:(\w+)\[(\d+)\](?:\(([\w ]+)\))?=([\w{},.-]+)(~?)$')
SCALAR = re.compile(r'(\w+)=(-?[\w.]+f?|\w+\{[-\w.,]+\})$')


class Array:
    def __init__(self, match):
        symbol, self.name, skip, self.type, count, self.cast, contents, free = match.groups()
        self.symbol, self.free_order, self.skip = bool(symbol), bool(free), int(skip or 0)
        self.format, self.width = TYPES[self.type]
        self.values = [value(contents, i) for i in range(int(count))]
        self.is_float = self.type in ('float', 'double')
        self.c_type = C_NAMES.get(self.type, self.type)

    def bytes(self):
        kind = float if self.is_float else int
        return struct.pack('<%d%s' % (len(self.values), self.format), *[kind(v) for v in self.values])

    def numbers(self, data):
        return struct.unpack('<%d%s' % (len(data) // self.width, self.format), data)


class Scalar:
    def __init__(self, name, text):
        self.name, self.text = name, text

    def bytes(self, parameter_type):
        """As the PTX's parameter has it; parameter_type is a struct format, or None for a struct."""
        if parameter_type is None:
            members = self.text[self.text.index('{') + 1:-1].split(',')
            return b''.join(struct.pack('<f' if '.' in m else '<i', number(m)) for m in members)
        value = number(self.text)
        if parameter_type not in 'fd':
            value &= (1 << 8 * struct.calcsize(parameter_type)) - 1
        return struct.pack('<' + parameter_type, value)


class Kernel:
    def __init__(self, file, position, line, match):
        self.name, self.template, grid, block, shared, arguments = match.groups()
        self.file, self.line, self.half = file, line, 'ab'[position % 2]
        self.grid, self.block, self.shared_bytes = dimensions(grid), dimensions(block), int(shared or 0)
        self.arguments = [argument(word, file, line) for word in arguments.split()]

    def arrays(self):
        return [a for a in self.arguments if isinstance(a, Array)]


def number(text):
    return float(text.rstrip('f')) if '.' in text else int(text.rstrip('uUlL'), 0)


def dimensions(text):
    sides = [int(side) for side in text.split('x')]
    return tuple(sides + [1] * (3 - len(sides)))


def hashed(i):
    return (i * 2654435761 + 12345 & 0xffffffff) >> 15 & 0xffff


def value(contents, i):
    if contents.startswith('{'):
        listed = contents[1:-1].split(',')
        return number(listed[min(i, len(listed) - 1)])
    kind, size = re.fullmatch(r'(zero|ramp|mod|rand|sym)(\d*)', contents).groups()
    size = int(size or 1)
    return {'zero': 0, 'ramp': i * size, 'mod': i % size, 'rand': hashed(i) % size,
            'sym': hashed(i) % (2 * size + 1) - size}[kind]


def argument(word, file, line):
    array, scalar = ARRAY.match(word), SCALAR.match(word)
    if array and array.group(4) in TYPES:
        return Array(array)
    if scalar:
        return Scalar(*scalar.groups())
    raise SystemExit('%s:%d: %s is no argument; allowed: name=scalar, name:type[count]=contents' % (file, line, word))


def kernels(path):
    found = []
    with open(path) as file:
        for line, text in enumerate(file, 1):
            match = HEAD.match(text)
            if match:
                found.append(Kernel(os.path.basename(path), len(found), line, match))
            elif text.startswith('//@'):
                raise SystemExit('%s:%d: no launch: %s' % (path, line, text.strip()))
    return found


SHOW = '''
#include <cstdio>
static void corpus_show(const char *kernel, const char *array, const unsigned char *bytes, int count) {
    printf("\\n%s %s ", kernel, array);
    for (int i = 0; i < count; i++) printf("%02x", bytes[i]);
}
'''
GIVE = '''        static {type} {name}_host[] = {{{values}}};
        void *{name};
        cudaMalloc(&{name}, sizeof {name}_host);
        cudaMemcpy({name}, {name}_host, sizeof {name}_host, cudaMemcpyHostToDevice);
'''
GIVE_SYMBOL = '''        static {type} {name}_host[] = {{{values}}};
        cudaMemcpyToSymbol(::{name}, {name}_host, sizeof {name}_host);
'''
TAKE = '''        cudaMemcpy({name}_host, {name}, sizeof {name}_host, cudaMemcpyDeviceToHost);
        cudaFree({name});
        corpus_show("{kernel}", "{name}", (unsigned char *){name}_host, sizeof {name}_host);
'''
TAKE_SYMBOL = '''        cudaMemcpyFromSymbol({name}_host, ::{name}, sizeof {name}_host);
        corpus_show("{kernel}", "{name}", (unsigned char *){name}_host, sizeof {name}_host);
'''


def passed(argument):
    if isinstance(argument, Scalar):
        return argument.text
    pointer = '(%s *)%s + %d' % (argument.c_type, argument.name, argument.skip)
    return '(%s *)(%s)' % (argument.cast or argument.c_type, pointer)


def block_of(kernel):
    """The statements that launch one kernel and print what is then in its arrays."""
    words = dict(kernel=kernel.name)
    text = '    {\n'
    for array in kernel.arrays():
        words.update(type=array.c_type, name=array.name, values=','.join(str(v) for v in array.values))
        text += (GIVE_SYMBOL if array.symbol else GIVE).format(**words)
    text += '        %s%s<<<dim3(%d, %d, %d), dim3(%d, %d, %d), %d>>>(%s);\n' % (
        (kernel.name, kernel.template or '') + kernel.grid + kernel.block + (kernel.shared_bytes, ', '.join(
            passed(a) for a in kernel.arguments if not getattr(a, 'symbol', False))))
    text += '        if (cudaDeviceSynchronize()) printf("\\n%s failed ", cudaGetErrorString(cudaGetLastError()));\n'
    for array in kernel.arrays():
        words.update(name=array.name)
        text += (TAKE_SYMBOL if array.symbol else TAKE).format(**words)
    return text + '    }\n'


def program(source, launched):
    """The file with a main behind it, so that its lines keep their numbers."""
    return source + SHOW + 'int main() {\n' + ''.join(block_of(k) for k in launched) + '    printf("\\n");\n}\n'


def results(output):
    """{(kernel, array): bytes} of what the program printed."""
    words = [line.split() for line in output.splitlines()]
    return {(w[0], w[1]): bytes.fromhex(w[2]) for w in words if len(w) == 3}
