#!/usr/bin/env python3
"""Puts a call of wl_record in front of every memory access of a PTX file.

    instrument_ptx.py --first-site N IN.ptx OUT.ptx SITES.inc

An access is an ld, st, atom or red of global, shared, local or constant memory (or a generic one),
or a tex. Parameters (ld.param, st.param) are no memory of the kernel's and are left alone. The call
is

    wl_record(u64 address, u32 site)

with the lane's byte address in the access's own state space and the number of the access; for tex it
is the byte offset from the start of the texture. tools/cuda/recorder.cu defines wl_record. An access
under a predicate gets its call under the same predicate.

A function that names a shared array first calls wl_record with the array's address: that site's op
is "array". SITES.inc holds a line of C for each site, the members of struct recorder_site. Line
numbers come from .loc, so the PTX must be made with -lineinfo.

Anything that could touch memory and that this script does not know is an error: a recording that
misses accesses would look like a difference.
"""
import argparse
import re
import sys

RECORD = ".extern .func wl_record(.param .b64 wl_address, .param .b32 wl_site);"

SPACES = ("global", "shared", "local", "const")
ACCESS = re.compile(r"^\s*(?:@(!?)(%\w+)\s+)?(ld|ldu|st|atom|red|tex)\.([\w.:]+)\s+(.*);\s*$")
UNKNOWN = re.compile(r"^\s*(?:@!?%\w+\s+)?(ld|ldu|st|atom|red|tex|tld4|suld|sust|sured|ldmatrix|"
                     r"stmatrix|movmatrix|prefetch|multimem|wmma|cp|mbarrier|tensormap)\b")
REGISTERS = re.compile(r"^\s*\.reg\s+\.(\w+)\s+([^;]*);")
SHARED = re.compile(r"^\s*(?:\.\w+\s+)*?\.shared\s+(?:\.align\s+\d+\s+)?\.\w+\s+([\w$]+)")
FUNCTION = re.compile(r"^\s*(?:\.visible\s+|\.weak\s+)?\.(?:entry|func)\b")
FILE = re.compile(r'^\s*\.file\s+(\d+)\s+"([^"]*)"')
LOC = re.compile(r"^\s*\.loc\s+(\d+)\s+(\d+)")
OPERAND = re.compile(r"\[\s*(%?[\w$]+)\s*(?:\+\s*(-?\w+))?\s*\]")
TEXTURE = re.compile(r"\[\s*[%\w$]+\s*,\s*\{\s*(%\w+)\s*(?:,[^}]*)?\}\s*\]")
# Lines of a body that are no instruction: nothing may stand before declarations.
DECLARATION = re.compile(r"^\s*(\.|//|\{|\}|$)")

TEXEL_BYTES = 4
# In the number given to wl_record: the address is generic, look where it points.
SITE_IS_GENERIC = 1 << 31


class InstrumentError(Exception):
    pass


def plain_name(symbol):
    """The last component of a mangled name.

    >>> plain_name("_ZZ9transposePfS_iiE5block")
    'block'
    >>> plain_name("_ZZ7reduce0PiS_E5sdata_0")
    'sdata'
    >>> plain_name("sdata")
    'sdata'
    """
    if not symbol.startswith("_Z"):
        return symbol
    for match in re.finditer(r"E(?=(\d+))", symbol):
        digits = match.group(1)
        for count in range(len(digits), 0, -1):
            begin, length = match.end() + count, int(digits[:count])
            name, rest = symbol[begin:begin + length], symbol[begin + length:]
            if len(name) == length and re.fullmatch(r"(_\d+|__\d+_)?", rest):
                return name
    return symbol


def modifiers_space(modifiers):
    """The state space among an instruction's modifiers, "generic" when there is none.

    >>> modifiers_space(["volatile", "shared", "u32"]), modifiers_space(["v4", "f32"])
    ('shared', 'generic')
    """
    for modifier in modifiers:
        name = modifier.split("::")[0]
        if name in SPACES or name == "param":
            return name
    return "generic"


def access_bytes(op, modifiers):
    """Bytes a lane accesses.

    >>> access_bytes("ld", ["global", "v4", "f32"]), access_bytes("st", ["shared", "u8"])
    (16, 1)
    >>> access_bytes("atom", ["global", "add", "u32"]), access_bytes("red", ["f16x2"])
    (4, 4)
    """
    if op == "tex":
        return TEXEL_BYTES
    match = re.fullmatch(r"[busf](\d+)(x2)?", modifiers[-1])
    if match is None:
        raise InstrumentError(f"no type at the end of .{'.'.join(modifiers)}")
    bits = int(match.group(1)) * (2 if match.group(2) else 1)
    for modifier in modifiers:
        if re.fullmatch(r"v[248]", modifier):
            bits *= int(modifier[1:])
    return bits // 8


class Instrumenter:
    def __init__(self, first_site):
        self.next_site = first_site
        self.sites = []          # lines of C
        self.files = {}          # .file number -> base name
        self.location = (0, 0)   # of the last .loc
        self.registers = {}      # of the function: name, or prefix of a range -> bits; 0: no address
        self.label = 0

    def add_site(self, op, space, width, name="", read_only=False):
        number, line = self.location
        file = self.files.get(number)
        if op != "array" and file is None:
            raise InstrumentError(f".file {number} is not declared: compile with -lineinfo")
        site = self.next_site
        self.next_site += 1
        self.sites.append(f'{{{site}, "{file or "?"}", {line}, "{op}", "{space}", {width}, '
                          f'{int(read_only)}, "{name}"}},')
        return site

    def note_registers(self, line):
        match = REGISTERS.match(line)
        if not match:
            return
        address = re.fullmatch(r"[bus](32|64)", match.group(1))
        for name in match.group(2).split(","):
            self.registers[name.strip().split("<")[0]] = int(address.group(1)) if address else 0

    def register_bits(self, name):
        bits = self.registers.get(name) or self.registers.get(name.rstrip("0123456789"))
        if not bits:
            raise InstrumentError(f"register {name} holds no address")
        return bits

    def address_code(self, operand):
        """Lines that leave the operand's address in %wl_address."""
        match = OPERAND.search(operand)
        if match is None:
            raise InstrumentError(f"no address in {operand}")
        base, offset = match.group(1), int(match.group(2) or "0", 0)
        if not base.startswith("%"):
            code = [f"mov.u64 \t%wl_address, {base};"]
        elif self.register_bits(base) == 64:
            code = [f"mov.b64 \t%wl_address, {base};"]
        else:
            code = [f"cvt.u64.u32 \t%wl_address, {base};"]
        if offset:
            code.append(f"add.s64 \t%wl_address, %wl_address, {offset};")
        return code

    def texture_code(self, operand):
        match = TEXTURE.search(operand)
        if match is None or self.register_bits(match.group(1)) != 32:
            raise InstrumentError(f"no whole-number coordinate in {operand}")
        return [f"mul.wide.s32 \t%wl_address, {match.group(1)}, {TEXEL_BYTES};"]

    def call(self, site, address_code, skip=None):
        """The call in a scope of its own: its registers and parameters are known there alone. `skip` is the
        predicate of lanes that make no access."""
        code = ["\t{ // wl_record", "\t.reg .b64 \t%wl_address;"]
        code += ["\t" + line for line in address_code]
        code += ["\t.param .b64 wl_parameter0;", "\tst.param.b64 \t[wl_parameter0], %wl_address;",
                 "\t.param .b32 wl_parameter1;", f"\tst.param.b32 \t[wl_parameter1], {site};",
                 "\tcall.uni \twl_record, (wl_parameter0, wl_parameter1);", "\t}"]
        if skip:
            label = f"$L__wl_{self.label}"
            self.label += 1
            code = [f"\t@{skip} bra \t{label};"] + code + [label + ":"]
        return code

    def access(self, line):
        """The call for an access; no lines when there is none to record."""
        match = ACCESS.match(line)
        if match is None:
            if UNKNOWN.match(line):
                raise InstrumentError(f"unknown access: {line.strip()}")
            return []
        negated, predicate, op, suffix, operands = match.groups()
        modifiers = suffix.split(".")
        space = "texture" if op == "tex" else modifiers_space(modifiers)
        if space == "param":
            return []
        if op == "tex" and (modifiers[0] != "1d" or modifiers[-1] != "s32"):
            raise InstrumentError(f"only tex.1d with a whole-number coordinate: {line.strip()}")
        kind = {"ldu": "ld", "tex": "ld", "red": "atom"}.get(op, op)
        site = self.add_site(kind, space, access_bytes(op, modifiers),
                             read_only=op == "ldu" or "nc" in modifiers)
        site |= SITE_IS_GENERIC if space == "generic" else 0
        code = self.texture_code(operands) if op == "tex" else self.address_code(operands)
        skip = predicate and (predicate if negated else "!" + predicate)
        return self.call(site, code, skip)

    def array_calls(self, body, shared):
        """For each shared array that the body names: where it lies."""
        text, code = "\n".join(body), []
        for symbol in shared:
            if re.search(r"(?<![\w$])" + re.escape(symbol) + r"(?![\w$])", text):
                site = self.add_site("array", "shared", 1, plain_name(symbol))
                code += self.call(site, [f"mov.u64 \t%wl_address, {symbol};"])
        return code

    def function(self, body, shared):
        """A body, from its { to its }, with the calls."""
        self.registers = {}
        out, started = [], False
        for line in body:
            self.note_registers(line)
            match = LOC.match(line)
            if match:
                self.location = (int(match.group(1)), int(match.group(2)))
            if not started and not DECLARATION.match(line):
                out += self.array_calls(body, shared)
                started = True
            out += self.access(line) + [line]
        return out

    def module(self, lines):
        for line in lines:
            match = FILE.match(line)
            if match:
                self.files[int(match.group(1))] = match.group(2).rsplit("/", 1)[-1]
        shared = {m.group(1): None for m in map(SHARED.match, lines) if m}
        out, at, declared = [], 0, False
        while at < len(lines):
            if FUNCTION.match(lines[at]):
                if not declared:
                    out, declared = out + [RECORD], True
                end, body_begin = function_end(lines, at)
                out += lines[at:body_begin]
                out += self.function(lines[body_begin:end], shared)
                at = end
            else:
                out.append(lines[at])
                at += 1
        return out


def function_end(lines, begin):
    """The line behind a function and the line of its opening brace; a declaration has no body."""
    depth, body_begin = 0, None
    for at in range(begin, len(lines)):
        code = lines[at].split("//")[0]
        if body_begin is None:
            if code.strip().endswith(";"):
                return at + 1, at + 1
            if code.strip() != "{":
                continue
            body_begin = at
        depth += code.count("{") - code.count("}")
        if depth == 0:
            return at + 1, body_begin
    raise InstrumentError(f"line {begin + 1}: the function has no end")


def instrument(text, first_site):
    worker = Instrumenter(first_site)
    return "\n".join(worker.module(text.split("\n"))), worker.sites


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--first-site", type=int, default=0)
    parser.add_argument("files", nargs="*", metavar="IN.ptx OUT.ptx SITES.inc")
    options = parser.parse_args()
    if len(options.files) != 3:
        parser.error("name the PTX to read, the PTX to write and the file of sites to write")
    source, target, sites_file = options.files
    try:
        with open(source, encoding="utf-8") as file:
            out, sites = instrument(file.read(), options.first_site)
        with open(target, "w", encoding="utf-8") as file:
            file.write(out)
        with open(sites_file, "w", encoding="utf-8") as file:
            file.write("".join(line + "\n" for line in sites))
    except OSError as error:
        print(f"instrument_ptx.py: {error}", file=sys.stderr)
        return 1
    except InstrumentError as error:
        print(f"instrument_ptx.py: {source}: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
