"""Reads PTX: its entries, their instructions with the source line where each one stands, its variables."""
import collections
import re

Instruction = collections.namedtuple('Instruction', 'guard op types operands line text')
# guard: None or (register, wanted truth); op: first word; types: the other words of the opcode.
SIZES = {'8': 1, '16': 2, '32': 4, '64': 8}
FORMATS = {'u8': 'B', 's8': 'b', 'b8': 'B', 'u16': 'H', 's16': 'h', 'b16': 'H', 'u32': 'I', 's32': 'i', 'b32': 'I',
           'u64': 'Q', 's64': 'q', 'b64': 'Q', 'f32': 'f', 'f64': 'd'}
VARIABLE = re.compile(r'(?:\.visible |\.extern |\.weak )*\.(const|global|shared|local) (?:\.align (\d+) )?'
                      r'\.(\w+) ([\w$]+)(?:\[(\d*)\])?(?:\s*=\s*(.*))?$')
PARAMETER = re.compile(r'\.param (?:\.align (\d+) )?\.(\w+) (?:\.ptr (?:\.\w+ )?(?:\.align \d+ )?)?(\w+)(?:\[(\d+)\])?')
LOCATION = re.compile(r'\.loc\s+(\d+)\s+(\d+)\s+(\d+)(?:,\s*function_name \S+,\s*inlined_at\s+(\d+)\s+(\d+)\s+(\d+))?')


class Variable:
    def __init__(self, match):
        self.space, align, kind, self.name, count, self.initial = match.groups()
        self.format, self.open_ended = FORMATS[kind], count == ''
        width = SIZES[re.sub(r'\D', '', kind)]
        self.align = int(align or width)
        self.bytes = width * (int(count) if count else 0 if self.open_ended else 1)


class Entry:
    def __init__(self, name):
        self.name, self.parameters, self.registers = name, [], {}
        self.variables, self.code, self.labels = [], [], {}


class Module:
    def __init__(self):
        self.entries, self.variables, self.unknown = [], [], []


def split_operands(text):
    """At commas outside of brackets."""
    parts, depth, current = [], 0, ''
    for letter in text:
        depth += (letter in '{[(') - (letter in '}])')
        if letter == ',' and depth == 0:
            parts.append(current.strip())
            current = ''
        else:
            current += letter
    return parts + [current.strip()] if current.strip() else parts


def instruction(text, line):
    guard = None
    match = re.match(r'@(!?)%(\w+)\s+(.*)$', text)
    if match:
        guard, text = (match.group(2), match.group(1) == ''), match.group(3)
    opcode, _, rest = text.partition(' ')
    opcode, _, more = opcode.partition('\t')
    words = opcode.split('.')
    return Instruction(guard, words[0], words[1:], split_operands(more + rest), line, text)


class Lines:
    """Which line of the source an instruction is of: the innermost call of the file itself."""

    def __init__(self, text, file):
        named = dict(re.findall(r'^\s*\.file\s+(\d+) "([^"]*)"', text, re.M))
        self.own = {number for number, path in named.items() if path.rsplit('/', 1)[-1] == file}
        self.calls, self.now = {}, 0

    def place(self, match):
        at, call = match.groups()[:3], match.groups()[3:]
        self.calls[at] = call
        seen = set()
        while at[0] is not None and at[0] not in self.own and at not in seen:
            seen.add(at)
            at = self.calls.get(at, (None,))
        self.now = int(at[1]) if at[0] is not None and at[0] in self.own else 0


def statements(text):
    """Directives, labels and instructions, each once, without comments."""
    text = re.sub(r'//[^\n]*', '', text)
    for line in text.split('\n'):
        line = line.strip()
        if line.startswith(('.loc\t', '.loc ', '.file', '.pragma')):
            yield line.rstrip(';')
            continue
        for part in re.findall(r'[^;]+;?', line):
            yield part.strip()


def body(entry, lines, source):
    """Reads what stands between the braces of an entry."""
    pending, depth = '', 1
    for part in source:
        while part.startswith('{'):
            depth, part = depth + 1, part[1:].strip()
        if LOCATION.match(part):
            lines.place(LOCATION.match(part))
        elif part.startswith('.pragma') or part == '':
            continue
        elif part == '}':
            depth -= 1
            if depth == 0:
                return
        elif re.match(r'[\w$]+:$', part):
            entry.labels[part[:-1]] = len(entry.code)
        elif not part.endswith(';'):
            pending += part + ' '
        else:
            whole, pending = (pending + part)[:-1].strip(), ''
            member(entry, whole, lines.now)


def member(entry, text, line):
    registers = re.match(r'\.reg \.(\w+)\s+%(\w+)(?:<(\d+)>)?$', text)
    variable = VARIABLE.match(re.sub(r'\s+', ' ', text))
    if registers:
        entry.registers[registers.group(2)] = registers.group(1)
    elif variable:
        entry.variables.append(Variable(variable))
    else:
        entry.code.append(instruction(re.sub(r'\s+', ' ', text), line))


def read(text, file):
    module, lines, source = Module(), Lines(text, file), statements(text)
    pending = ''
    for part in source:
        if part.startswith('.section'):
            break
        if part.startswith(('.version', '.target', '.address_size', '.file', '.loc\t', '.loc ', '.pragma')):
            continue
        pending = (pending + ' ' + part).strip()
        if part == '{':
            head(module, pending, lines, source)
            pending = ''
        elif part.endswith(';'):
            variable = VARIABLE.match(re.sub(r'\s+', ' ', pending[:-1]))
            if variable:
                module.variables.append(Variable(variable))
            pending = ''
    return module


def head(module, text, lines, source):
    entry = re.search(r'\.entry (\w+)\s*\((.*)\)', text)
    if not entry:
        skipped = Entry('')
        body(skipped, lines, source)
        return
    found = Entry(entry.group(1))
    for align, kind, name, count in PARAMETER.findall(re.sub(r'\s+', ' ', entry.group(2))):
        width = SIZES[re.sub(r'\D', '', kind)]
        found.parameters.append((name, int(align or width), None if count else FORMATS[kind],
                                 width * int(count or 1)))
    body(found, lines, source)
    module.entries.append(found)
