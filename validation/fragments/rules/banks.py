"""banks.py - passes of shared memory: 32 banks of 4 bytes."""
import collections


def matrix_passes(rows):
    """ldmatrix and stmatrix: each 8 rows are a matrix and a phase, whose passes are the most distinct rows that lie
    in one of the 8 groups of four banks."""
    total = 0
    for first in range(0, len(rows), 8):
        groups = collections.Counter(row // 16 % 8 for row in set(rows[first:first + 8]))
        total += max(groups.values())
    return total


def words_by_bank(addresses, width):
    """{bank: the words that lanes want of it}"""
    words = collections.defaultdict(list)
    for address in addresses:
        for word in range(address // 4, (address + width) // 4):
            words[word % 32].append(word)
    return words


def paired(accesses):
    """Do lanes want the same as their neighbours, one or two lanes away?"""
    address = dict(accesses)
    return any(all(address.get(lane ^ away, address[lane]) == address[lane] for lane in address) for away in (1, 2))


def passes(accesses, width, merge_pairs=False, atomic=False):
    """Passes of [(lane, address)]: neighbours of 128 bytes together pass together, twice as many where pairs merge;
    as many passes as a bank has distinct words, or, of atomics, as it has lanes."""
    together = 128 // width * (2 if merge_pairs and width > 4 and paired(accesses) else 1)
    groups = collections.defaultdict(list)
    for lane, address in accesses:
        groups[lane // together].append(address)
    total = 0
    for addresses in groups.values():
        words = words_by_bank(addresses, width).values()
        total += max(len(bank) if atomic else len(set(bank)) for bank in words)
    return total
