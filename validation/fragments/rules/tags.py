"""tags.py - the tag stage of the L1: lines go through four banks, one of a bank in each wavefront.

The bank of a line is the rule of docs/model.md ("Inside the L1"), unchanged."""
import collections

LINE = 128
WINDOW = 8   # wavefronts that a bank still knows; 6 to 8 fit alike
# Bits of the line's number that change the bank's number: by 1, by 2, by both.
CODES = {bit: code for code, bits in ((1, (0, 2, 5, 9, 11, 13, 16, 18, 22)), (2, (1, 3, 6, 8, 10, 15, 20)),
                                      (3, (4, 7, 12, 14, 17, 19, 21))) for bit in bits}


def bank(line):
    code = 0
    for bit in range(line.bit_length()):
        if line >> bit & 1:
            code ^= CODES.get(bit, 0)
    return code


def wavefronts(lines):
    """{line: its wavefront}; lines in the order of their lanes."""
    used, out = [0] * 4, {}
    for line in lines:
        if line not in out:
            out[line] = used[bank(line)]
            used[bank(line)] += 1
    return out


class Entry:
    """Lanes of a line that go through the tags together."""

    def __init__(self, wavefront):
        self.wavefront, self.lanes, self.addresses = wavefront, [], set()

    def add(self, lane, address):
        self.lanes.append((lane, address))
        self.addresses.add(address)

    def sectors(self):
        return len({address // 32 for address in self.addresses})


def entries(accesses, once):
    """The entries of [(lane, address)]. Without `once` a line has one. With it an entry has an address once: a lane
    joins the first entry of its line that does not hold its address and whose wavefront is among the last WINDOW of
    its bank, or it opens one in the bank's next wavefront."""
    used, of_line, out = [0] * 4, collections.defaultdict(list), []
    for lane, address in accesses:
        line = address // LINE
        number = bank(line)
        for entry in of_line[line]:
            if not once or address not in entry.addresses and used[number] - entry.wavefront <= WINDOW:
                break
        else:
            entry = Entry(used[number])
            used[number] += 1
            of_line[line].append(entry)
            out.append(entry)
        entry.add(lane, address)
    return out
