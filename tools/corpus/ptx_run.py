"""Runs a kernel's PTX for one launch, thread by thread, and counts its accesses by line."""
import collections
import struct

from ptx_code import GLOBAL_BASE, WINDOWS, Unknown, translate
from ptx_text import FORMATS


class PtxError(Exception):
    pass


LOCAL_BYTES = 1 << 13


def aligned(offset, align):
    return (offset + align - 1) // align * align


class Memory:
    """Global or constant memory: variables and arrays one behind another."""

    def __init__(self, base):
        self.base, self.bytes = base, bytearray()

    def place(self, data, align):
        at = aligned(len(self.bytes), max(align, 16))
        self.bytes.extend(bytes(at - len(self.bytes)) + data)
        return self.base + at

    def read(self, address, count):
        return bytes(self.bytes[address - self.base:address - self.base + count])


def initial(variable):
    """What a variable begins with."""
    if not variable.initial:
        return bytes(variable.bytes)
    values = variable.initial.strip('{} ').split(',')
    form = '<' + variable.format
    data = b''.join(pack_literal(form, value.strip()) for value in values)
    return data + bytes(variable.bytes - len(data))


def pack_literal(form, text):
    if text[:2] in ('0f', '0F'):
        return struct.pack('<I', int(text[2:], 16))
    if text[:2] in ('0d', '0D'):
        return struct.pack('<Q', int(text[2:], 16))
    return struct.pack(form.lower() if text.startswith('-') else form, int(text, 0))


class Run:
    """Memory and symbols of one launch."""

    def __init__(self, module, entry, kernel):
        self.kernel, self.entry = kernel, entry
        self.memories = {'global': Memory(GLOBAL_BASE), 'const': Memory(0)}
        self.symbols, self.addresses, self.shared_bytes = {}, {}, 0
        given = {array.name: array for array in kernel.arrays()}
        for variable in module.variables + entry.variables:
            self.place_variable(variable, given)
        for variable in module.variables:
            if variable.open_ended:
                self.symbols[variable.name] = aligned(self.shared_bytes, 16)
        self.shared_bytes = aligned(self.shared_bytes, 16) + kernel.shared_bytes
        for array in kernel.arrays():
            if not array.symbol:
                self.addresses[array.name] = self.memories['global'].place(array.bytes(), 256)
        self.parameters = self.parameter_bytes()

    def place_variable(self, variable, given):
        if variable.space in self.memories:
            memory, data = self.memories[variable.space], initial(variable)
            if variable.name in given:
                own = given[variable.name].bytes()
                data = own + data[len(own):]
            self.symbols[variable.name] = memory.place(data, variable.align)
            self.addresses[variable.name] = self.symbols[variable.name]
        elif variable.space == 'local':
            self.symbols[variable.name] = 0
        elif not variable.open_ended:
            self.symbols[variable.name] = aligned(self.shared_bytes, variable.align)
            self.shared_bytes = self.symbols[variable.name] + variable.bytes

    def parameter_bytes(self):
        data = bytearray()
        arguments = [a for a in self.kernel.arguments if not getattr(a, 'symbol', False)]
        if len(arguments) != len(self.entry.parameters):
            raise PtxError('%d arguments, the kernel has %d' % (len(arguments), len(self.entry.parameters)))
        for argument, (name, align, form, size) in zip(arguments, self.entry.parameters):
            data.extend(bytes(aligned(len(data), align) - len(data)))
            self.symbols[name] = len(data)
            if argument.name in self.addresses:
                data.extend(struct.pack('<Q', self.addresses[argument.name] + argument.skip * argument.width))
            else:
                data.extend(argument.bytes(form).ljust(size, b'\0'))
        return data

    def result(self, array):
        space = 'const' if array.symbol and self.addresses[array.name] < GLOBAL_BASE else 'global'
        return self.memories[space].read(self.addresses[array.name], len(array.values) * array.width)

    def where(self, address, shared, local):
        """What a generic address is: (space, memory, offset)."""
        for space in ('const', 'local', 'shared'):
            if address >= WINDOWS[space]:
                memory = {'const': self.memories['const'].bytes, 'local': local, 'shared': shared}[space]
                return space, memory, address - WINDOWS[space]
        return 'global', self.memories['global'].bytes, address - GLOBAL_BASE


def shuffled(requests):
    """{lane: (value, valid)} for a shuffle's requests by lane."""
    answers = {}
    for lane, (_, _, _, mode, value, b, c) in requests.items():
        limit, segment = c & 31, c >> 8 & 31
        low, high = lane & segment, (lane & segment) | (limit & ~segment & 31)
        b &= 31
        source = {'up': lane - b, 'down': lane + b, 'bfly': lane ^ b, 'idx': low | (b & ~segment & 31)}[mode]
        valid = source >= high if mode == 'up' else source <= high
        source = source if valid else lane
        answers[lane] = (requests[source][4] if source in requests else value, valid)
    return answers


def voted(requests):
    values = {lane: bool(request[4]) for lane, request in requests.items()}
    mode = next(iter(requests.values()))[3]
    answer = {'all': all(values.values()), 'any': any(values.values()), 'uni': len(set(values.values())) == 1,
              'ballot': sum(1 << lane for lane in values if values[lane])}[mode]
    return dict.fromkeys(requests, answer)


def meet(waiting, alive):
    """The answers for the lanes of one warp that wait for each other and are complete; {} if none are."""
    for lane, request in waiting.items():
        if request[0] == 'block':
            continue
        group = {other: r for other, r in waiting.items() if r[:3] == request[:3]}
        if all(request[2] >> other & 1 == 0 or other in group for other in alive):
            return {'warp': dict.fromkeys, 'shuffle': shuffled, 'vote': voted}[request[0]](group)
    return {}


def advance(threads, waiting, index, answer):
    try:
        waiting[index] = threads[index].send(answer)
    except StopIteration:
        waiting.pop(index, None)
        threads[index] = None


def run_warp(threads, waiting, first):
    """Runs a warp's threads until each of them has ended or waits for the block."""
    lanes = range(first, min(first + 32, len(threads)))
    while True:
        alive = [i - first for i in lanes if threads[i]]
        answers = meet({i - first: waiting[i] for i in lanes if i in waiting}, alive)
        if not answers:
            break
        for lane in sorted(answers):
            advance(threads, waiting, first + lane, answers[lane])


def run_block(threads):
    waiting = {}
    for index in range(len(threads)):
        advance(threads, waiting, index, None)
    while waiting:
        for first in range(0, len(threads), 32):
            run_warp(threads, waiting, first)
        if any(request[0] != 'block' for request in waiting.values()):
            raise PtxError('threads wait for each other: %s' % sorted(set(r[:3] for r in waiting.values()), key=str))
        for index in sorted(waiting):
            advance(threads, waiting, index, None)


def positions(sides):
    return [(x, y, z) for z in range(sides[2]) for y in range(sides[1]) for x in range(sides[0])]


def execute(module, entry, kernel):
    """({(line, op, space, width): executed by threads}, {array: bytes})."""
    run = Run(module, entry, kernel)
    thread, accesses = translate(entry, run.symbols)
    count = collections.Counter()
    memory, const = run.memories['global'].bytes, run.memories['const'].bytes
    for block in positions(kernel.grid):
        shared = bytearray(run.shared_bytes)
        threads = [thread(place + kernel.block + block + kernel.grid + (i & 31, i >> 5), memory, shared,
                          bytearray(LOCAL_BYTES), const, run.parameters, count, run.where)
                   for i, place in enumerate(positions(kernel.block))]
        run_block(threads)
    executed = collections.Counter()
    for (number, space), times in count.items():
        line, op, width = accesses[number]
        executed[line, op, space, width] += times
    return executed, {array.name: run.result(array) for array in kernel.arrays()}
