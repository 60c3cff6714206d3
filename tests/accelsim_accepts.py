"""Does a directory of Accel-Sim traces obey the rules of Accel-Sim's own reader?

Written from what that reader does (gpu-simulator/trace-parser/trace_parser.cc and
trace-driven/trace_driven.cc), not from warplens: it knows nothing of what was exported. Where that
reader would stop, read on wrongly or wait for ever, this says where and ends with 1.

Usage: accelsim_accepts.py DIRECTORY/kernelslist.g
"""
import os
import re
import sys

# In the reader's table of opcodes for binary version 70; enough of it for what warplens writes.
LOADS = {"LDG", "LDS", "LDL"}
STORES = {"STG", "STS", "STL"}
ATOMICS = {"RED", "ATOMG", "ATOMS"}
WITHOUT_MEMORY_OP = {"LDC", "TLD"}  # may have addresses, which the simulator does not use
PLAIN = {"IMAD", "IADD3", "FFMA", "BAR", "EXIT"}
MEMORY = LOADS | STORES | ATOMICS | WITHOUT_MEMORY_OP
MAX_DST, MAX_SRC, REGISTERS = 1, 4, 255


class Refused(Exception):
    pass


def require(condition, message):
    if not condition:
        raise Refused(message)


def width_of(opcode):
    """Bytes, by the reader's rule: the first part that is a number of bits, or U and a number."""
    for part in opcode.split(".")[1:]:
        match = re.fullmatch(r"U?([0-9]+)", part)
        if match:
            return int(match.group(1)) // 8
    return 4


def number(word, low, high, base=10):
    pattern = r"-?[0-9]+" if base == 10 else r"(0x)?[0-9a-f]+"
    require(re.fullmatch(pattern, word), f"{word!r} is no number")
    value = int(word, base)
    require(low <= value <= high, f"{word} does not fit")
    return value


def take_registers(words, most):
    count = number(words.pop(0), 0, most)
    names = [words.pop(0) for _ in range(count)]
    for name in names:
        require(re.fullmatch(r"R[0-9]+", name) and int(name[1:]) <= REGISTERS, f"register {name}")
    return names


def take_addresses(words, mask):
    lanes = [lane for lane in range(32) if mask >> lane & 1]
    mode = number(words.pop(0), 0, 2)
    if mode == 0:
        return [number(words.pop(0), 0, 2**64 - 1, 16) for _ in lanes]
    base = number(words.pop(0), 0, 2**63 - 1, 16)
    if mode == 1:
        require(lanes == list(range(lanes[0], lanes[0] + len(lanes))), "a stride over a gap")
        stride = number(words.pop(0), -2**31, 2**31 - 1)
        return [base + stride * i for i in range(len(lanes))]
    addresses = [base]
    for _ in lanes[1:]:
        addresses.append(addresses[-1] + number(words.pop(0), -2**63, 2**63 - 1))
    return addresses


class Instruction:
    def __init__(self, text, header):
        words = text.split()
        if header["lineinfo"]:
            number(words.pop(0), 0, 2**32 - 1)
        number(words.pop(0), 0, 2**32 - 1, 16)  # PC
        word = words.pop(0)
        require(len(word) == 8, "the mask has not 8 digits")
        self.mask = number(word, 0, 2**32 - 1, 16)
        self.dests = take_registers(words, MAX_DST)
        opcode = words.pop(0)
        self.name = opcode.split(".")[0]
        require(self.name in MEMORY | PLAIN, f"undefined instruction {opcode}")
        self.sources = take_registers(words, MAX_SRC)
        width = number(words.pop(0), 0, 16)
        require((width > 0) == (self.name in MEMORY), f"{opcode} with a memory width of {width}")
        self.addresses = []
        if width:
            require(width == width_of(opcode), f"{opcode} with a memory width of {width}")
            require(self.mask, "a memory instruction without lanes")
            self.addresses = take_addresses(words, self.mask)
            self.check_addresses(width, header)
        number(words.pop(0), 0, 2**64 - 1)  # immediate
        require(not words, f"{words} at the end")

    def check_addresses(self, width, header):
        for address in self.addresses:
            require(0 <= address < 2**64, "an address that wraps")
            require(address % width == 0, f"{address:#x} is no multiple of {width}")
            if self.name.endswith("S") and self.name in LOADS | STORES | ATOMICS:
                require(header["shared"] <= address < header["local"],
                        f"{address:#x} is not in shared memory")
            if self.name in ("LDL", "STL"):  # becomes a word of 4 bytes, or several
                require(width % 4 == 0 or address % 4 + width <= 4, "local access over words")


class Lines:
    def __init__(self, path):
        with open(path, "rb") as file:
            data = file.read()
        require(data.endswith(b"\n"), "the last line has no end")
        self.lines = data.decode("ascii").split("\n")[:-1]
        self.at = 0

    def next(self):
        """The next line that is not empty; None at the end."""
        while self.at < len(self.lines):
            self.at += 1
            if self.lines[self.at - 1]:
                return self.lines[self.at - 1]
        return None


def read_header(lines):
    values = {}
    while True:
        line = lines.next()
        require(line is not None, "no line with # ends the header")
        if line[0] == "#":
            break
        require(line[0] == "-" and " = " in line, f"{line!r} in the header")
        key, value = line[1:].split(" = ", 1)
        values[key] = value.strip()
    triple = lambda text: [number(w, 1, 2**31 - 1) for w in text.strip("()").split(",")]
    header = {"grid": triple(values["grid dim"]), "block": triple(values["block dim"]),
              "lineinfo": number(values["enable lineinfo"], 0, 1),
              "shared": number(values["shmem base_addr"], 1, 2**63, 16),
              "local": number(values["local mem base_addr"], 1, 2**63, 16)}
    for key in ("kernel id", "shmem", "nregs", "cuda stream id"):
        number(values[key], 0, 2**31 - 1)
    require(values["binary version"] == "70", "the opcodes known here are those of version 70")
    require(values["accelsim tracer version"] == "5", "the format known here is that of version 5")
    require(values["kernel name"], "no kernel name")
    return header


def read_warp(lines, header, lanes):
    """One warp's instructions; how many barriers, and how many instructions, it has."""
    line = lines.next() or ""
    match = re.fullmatch(r"insts = ([0-9]+)", line)
    require(match, f"{line!r} where insts should be")
    count, barriers, ended = int(match.group(1)), 0, 0
    require(0 < count < 2**31, "a warp without instructions")
    for i in range(count):
        line = lines.next() or ""
        require(line and line[0] in "0123456789abcdef", f"{i} of {count} instructions")
        instruction = Instruction(line, header)
        require(instruction.mask & ~lanes == 0, "a lane outside of the block")
        require(instruction.mask & ended == 0, "a lane that has ended")
        barriers += instruction.name == "BAR"
        if instruction.name == "EXIT":
            ended |= instruction.mask
    require(instruction.name == "EXIT" and ended == lanes, "lanes without EXIT: waits for ever")
    return barriers, count


def read_block(lines, header, place):
    threads = header["block"][0] * header["block"][1] * header["block"][2]
    require(lines.next() == "#BEGIN_TB", "no #BEGIN_TB")
    line = lines.next()
    require(line == "thread block = %d,%d,%d" % place, f"{line!r} for block {place}")
    barriers, total = set(), 0
    for warp in range((threads + 31) // 32):
        line = lines.next()
        require(line == f"warp = {warp}", f"{line!r} for warp {warp}")
        lanes = min(threads - 32 * warp, 32)
        count, instructions = read_warp(lines, header, 2**lanes - 1)
        barriers.add(count)
        total += instructions
    require(len(barriers) == 1, "warps with different numbers of barriers")
    require(lines.next() == "#END_TB", "no #END_TB")
    return total


def read_kernel(path):
    lines = Lines(path)
    try:
        header = read_header(lines)
        grid, total = header["grid"], 0
        for z in range(grid[2]):
            for y in range(grid[1]):
                for x in range(grid[0]):
                    total += read_block(lines, header, (x, y, z))
        require(lines.next() is None, "something behind the last block")
        return total
    except (Refused, KeyError, IndexError) as error:
        raise Refused(f"{path}:{lines.at}: {error!r}") from None


def read_list(path):
    lines, kernels, copies, instructions = Lines(path), 0, 0, 0
    while (line := lines.next()) is not None:
        if line.startswith("MemcpyHtoD"):
            require(re.fullmatch(r"MemcpyHtoD,0x[0-9a-f]+,[0-9]+", line), f"{path}: {line!r}")
            copies += 1
        else:
            require(re.fullmatch(r"kernel-[0-9]+\.traceg", line), f"{path}: {line!r}")
            instructions += read_kernel(os.path.join(os.path.dirname(path), line))
            kernels += 1
    require(kernels, f"{path}: no kernel")
    return kernels, copies, instructions


try:
    print("%d kernels, %d copies, %d instructions" % read_list(sys.argv[1]))
except Refused as refused:
    sys.exit(str(refused))
