"""Translates an entry of PTX to a Python generator, which runs one thread of it.

Where threads meet (barriers, shuffles, votes) the generator yields what it asks for, and is sent the answer. Each
executed access adds 1 to COUNT[(number of its instruction, space)], which ptx_run.py puts together by line.
"""
import re
import struct

import ptx_arithmetic
from ptx_text import FORMATS

WINDOWS = {'shared': 1 << 40, 'local': 2 << 40, 'const': 3 << 40}  # where generic addresses of a space lie
GLOBAL_BASE = 1 << 20
COMPARE = {'eq': '==', 'ne': '!=', 'lt': '<', 'le': '<=', 'gt': '>', 'ge': '>=', 'lo': '<', 'ls': '<=', 'hi': '>',
           'hs': '>='}
UNORDERED = {'equ': '!=', 'neu': '==', 'ltu': '>=', 'leu': '>', 'gtu': '<=', 'geu': '<'}  # what they are the opposite of
SPACES = ('global', 'shared', 'local', 'const', 'param')
SPECIAL = re.compile(r'%(tid|ntid|ctaid|nctaid)\.([xyz])|%(laneid|warpid|lanemask_(?:eq|lt|le|gt|ge))')


class Unknown(Exception):
    """An instruction that is not known here."""


def bits(kind):
    return 1 if kind == 'pred' else int(re.sub(r'\D', '', kind))


def masked(expression, width):
    return '(%s) & 0x%x' % (expression, (1 << width) - 1)


class Translator:
    def __init__(self, entry, symbols):
        self.entry, self.symbols, self.accesses = entry, symbols, {}

    def kind_of(self, name):
        """The declared type of a register."""
        kind = self.entry.registers.get(name) or self.entry.registers.get(name.rstrip('0123456789'))
        if kind is None:
            raise Unknown('register %' + name)
        return kind

    def read(self, operand, kind):
        """A Python expression for an operand as an instruction of this type takes it."""
        special = SPECIAL.match(operand)
        if special:
            return '_'.join(word for word in special.groups() if word)
        if operand == 'WARP_SZ':
            return '32'
        if operand.startswith('%'):
            return self.read_register(operand[1:], kind)
        if re.match(r'0[fF][0-9a-fA-F]{8}$', operand):
            return self.literal(int(operand[2:], 16), 32, kind)
        if re.match(r'0[dD][0-9a-fA-F]{16}$', operand):
            return self.literal(int(operand[2:], 16), 64, kind)
        if re.match(r'-?(0x[0-9a-fA-F]+|\d+)U?$', operand):
            value = int(operand.rstrip('U'), 0)
            return str(value if kind[0] == 's' or kind == 'pred' else value & (1 << bits(kind)) - 1)
        match = re.match(r'([\w$]+)(?:\+(\d+))?$', operand)
        if match and match.group(1) in self.symbols:
            return str(self.symbols[match.group(1)] + int(match.group(2) or 0))
        raise Unknown('operand ' + operand)

    @staticmethod
    def literal(value, width, kind):
        if kind[0] != 'f':
            return str(value)
        number = (ptx_arithmetic.float_of if width == 32 else ptx_arithmetic.double_of)(value)
        return repr(number) if number == number and abs(number) != float('inf') else 'float("%r")' % number

    def read_register(self, name, kind):
        own = self.kind_of(name)
        if own == 'pred' or (own[0] == 'f' and kind[0] == 'f'):
            return name
        if own[0] == 'f':
            return ('bits_of(%s)' if own == 'f32' else 'long_of(%s)') % name
        if kind[0] == 'f':
            return ('float_of(%s)' if kind == 'f32' else 'double_of(%s)') % name
        if kind[0] == 's':
            return self.signed(name, bits(kind))
        return name if bits(own) <= bits(kind) else masked(name, bits(kind)).join('()')

    @staticmethod
    def signed(name, width):
        half = 1 << (width - 1)
        return '(((%s & 0x%x) ^ 0x%x) - 0x%x)' % (name, 2 * half - 1, half, half)

    def write(self, operand, kind, expression):
        """The statement that puts a value of this type into a register."""
        if operand == '_':
            return expression
        name = operand[1:]
        own = self.kind_of(name)
        if own == 'pred':
            return '%s = %s' % (name, expression)
        if own[0] == 'f':
            if kind[0] != 'f':
                expression = ('float_of(%s)' if own == 'f32' else 'double_of(%s)') % masked(expression, bits(own))
            return '%s = %s' % (name, expression)
        if kind[0] == 'f':
            return '%s = %s' % (name, ('bits_of(%s)' if kind == 'f32' else 'long_of(%s)') % expression)
        if kind[0] != 's' and bits(kind) < bits(own):
            expression = masked(expression, bits(kind))
        return '%s = %s' % (name, masked(expression, bits(own)))

    def address(self, operand):
        match = re.match(r'\[([%\w$]+)(?:\+(-?\d+))?\]$', operand)
        if not match:
            raise Unknown('address ' + operand)
        base, offset = match.group(1), int(match.group(2) or 0)
        if not base.startswith('%'):
            return str(self.symbols[base] + offset)
        return self.read(base, 'u64') + (' + %d' % offset if offset else '')

    def place(self, number, instruction, statements):
        """(memory, offset): where an access goes; the statements that count it are added."""
        space = next((word for word in instruction.types if word in SPACES), None)
        operand = next(word for word in instruction.operands if word.startswith('['))
        address = self.address(operand)
        if space == 'param':
            return 'PARAM', address
        if space is None:
            statements += ['space, memory, at = where(%s, SHARED, LOCAL)' % address, 'COUNT[%d, space] += 1' % number]
            return 'memory', 'at'
        statements.append("COUNT[%d, '%s'] += 1" % (number, space))
        if space == 'global':
            return 'GLOBAL', address + ' - 0x%x' % GLOBAL_BASE
        return space.upper(), address

    def move(self, number, instruction):
        """ld and st."""
        kind = instruction.types[-1]
        count = 4 if 'v4' in instruction.types else 2 if 'v2' in instruction.types else 1
        is_load = instruction.op == 'ld'
        value = instruction.operands[0 if is_load else 1]
        parts = [part.strip() for part in value.strip('{}').split(',')]
        self.accesses[number] = (instruction.line, instruction.op, bits(kind) // 8 * count)
        statements = []
        memory, offset = self.place(number, instruction, statements)
        form = '<%d%s' % (count, FORMATS[kind])
        name = 'FORM_%d%s' % (count, FORMATS[kind])
        self.forms[name] = struct.Struct(form)
        if not is_load:
            values = ', '.join(self.read(part, kind) for part in parts)
            return statements + ['%s.pack_into(%s, %s, %s)' % (name, memory, offset, values)]
        statements.append('got = %s.unpack_from(%s, %s)' % (name, memory, offset))
        return statements + [self.write(part, kind, 'got[%d]' % i) for i, part in enumerate(parts)]

    def atomic(self, number, instruction):
        kind, takes = instruction.types[-1], instruction.op == 'atom'
        action = next((word for word in instruction.types if word in ATOMIC), None)
        if action is None:
            raise Unknown(instruction.text)
        self.accesses[number] = (instruction.line, 'atom', bits(kind) // 8)
        statements = []
        memory, offset = self.place(number, instruction, statements)
        name = 'FORM_1' + FORMATS[kind]
        self.forms[name] = struct.Struct('<' + FORMATS[kind])
        operands = [self.read(operand, kind) for operand in instruction.operands[2 if takes else 1:]]
        words = dict(old='old', b=operands[0], c=operands[-1], mask=(1 << bits(kind)) - 1)
        new = ATOMIC[action].format(**words)
        if kind[0] == 'f':
            new = 'rounded(%s)' % new if kind == 'f32' else new
        elif kind[0] != 's':
            new = masked(new, bits(kind))
        statements += ['at = ' + offset, 'old, = %s.unpack_from(%s, at)' % (name, memory),
                       '%s.pack_into(%s, at, %s)' % (name, memory, new)]
        return statements + ([self.write(instruction.operands[0], kind, 'old')] if takes else [])

    def statements(self, number, instruction):
        from ptx_ops import OPS
        if instruction.op in ('ld', 'st'):
            return self.move(number, instruction)
        if instruction.op in ('atom', 'red'):
            return self.atomic(number, instruction)
        make = OPS.get(instruction.op)
        if make is None:
            raise Unknown(instruction.text)
        made = make(self, instruction, number)
        return made if isinstance(made, list) else [made]

    def jump(self, instruction):
        return ['pc = %d' % self.blocks[self.entry.labels[instruction.operands[-1]]], 'continue']

    def source(self):
        """The generator's text. Blocks of code stand one behind another, each under its number."""
        code, labels = self.entry.code, self.entry.labels
        self.forms = {}
        starts = {0} | set(labels.values()) | {i + 1 for i, one in enumerate(code) if one.op in ('bra', 'ret', 'exit')}
        self.blocks = {start: i for i, start in enumerate(sorted(starts))}
        lines = ['def thread(IDS, GLOBAL, SHARED, LOCAL, CONST, PARAM, COUNT, where):',
                 '    (tid_x, tid_y, tid_z, ntid_x, ntid_y, ntid_z, ctaid_x, ctaid_y, ctaid_z,',
                 '     nctaid_x, nctaid_y, nctaid_z, laneid, warpid) = IDS',
                 '    lanemask_eq = 1 << laneid',
                 '    lanemask_lt, lanemask_le = lanemask_eq - 1, 2 * lanemask_eq - 1',
                 '    lanemask_gt, lanemask_ge = 0xffffffff ^ lanemask_le, 0xffffffff ^ lanemask_lt',
                 '    pc = 0', '    while True:']
        for number, one in enumerate(code):
            if number in self.blocks:
                if number:
                    lines.append('            pc = %d' % self.blocks[number])
                lines.append('        if pc == %d:' % self.blocks[number])
            lines += self.guarded(one, number)
        if len(code) in self.blocks:
            lines += ['            pc = %d' % self.blocks[len(code)], '        if pc == %d:' % self.blocks[len(code)]]
        return '\n'.join(lines + ['            return', '    yield', ''])

    def guarded(self, one, number):
        made = self.jump(one) if one.op == 'bra' else ['return'] if one.op in ('ret', 'exit') else \
            self.statements(number, one)
        indent = '            '
        if one.guard:
            condition = one.guard[0] if one.guard[1] else 'not ' + one.guard[0]
            return [indent + 'if %s:' % condition] + [indent + '    ' + line for line in made]
        return [indent + line for line in made]


ATOMIC = {'add': '{old} + {b}', 'min': 'least({old}, {b})', 'max': 'most({old}, {b})', 'exch': '{b}',
          'cas': '{c} if {old} == {b} else {old}', 'and': '{old} & {b}', 'or': '{old} | {b}', 'xor': '{old} ^ {b}',
          'inc': '0 if {old} >= {b} else {old} + 1', 'dec': '{b} if {old} == 0 or {old} > {b} else {old} - 1'}


def translate(entry, symbols):
    """(a generator function, its accesses: {number: (line, op, bytes)})."""
    translator = Translator(entry, symbols)
    text = translator.source()
    names = {name: getattr(ptx_arithmetic, name) for name in dir(ptx_arithmetic) if not name.startswith('_')}
    names.update(translator.forms)
    exec(compile(text, entry.name, 'exec'), names)
    return names['thread'], translator.accesses
