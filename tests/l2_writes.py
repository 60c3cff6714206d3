#!/usr/bin/env python3
"""l2_writes.py WARPLENS FOLDER - does as much of what kernels store reach DRAM before they end as an H200 counted?

Of the launches of tools/cuda/l2_writes.cu, as validation/h200_l2_writes.csv has them, those of some sizes: the sectors that DRAM was given
must be within the percentage that is said of the kind, or both few. Of the others docs/model.md, 12.12, says how far they are off.
"""
import os
import sys

from program_launches import measured_rows, modelled

MEASURED = 'validation/h200_l2_writes.csv'
PROGRAM = 'tools/cuda/l2_writes.cu'
SIZES = ['32']  # megabytes: just more than L2 keeps of what is stored
FEW = 10000  # sectors: some 300 KB
WITHIN = {'read': 0, 'read_again': 0, 'fill': 4, 'fill_again': 6, 'copy_1': 8, 'copy_2': 6, 'copy_3': 6, 'fill_then_read_64': 6, 'scatter_add': 9}


def main():
    warplens, folder = sys.argv[1:3]
    rows = [row for row in measured_rows(os.path.join(folder, MEASURED)) if row['megabytes'] in SIZES]
    written = modelled(warplens, os.path.join(folder, PROGRAM), 'dram_write_sectors', SIZES)
    if len(written) != len(rows):
        sys.exit('%d launches, not %d' % (len(written), len(rows)))
    wrong = 0
    for row, got in zip(rows, written):
        measured = int(row['dram_write_sectors'])
        if row['kind'] not in WITHIN or (measured < FEW and got < FEW):
            continue
        if abs(got - measured) > measured * WITHIN[row['kind']] / 100:
            print('%s, %s MB: %d sectors written, not %d' % (row['kind'], row['megabytes'], got, measured))
            wrong += 1
    return wrong > 0


if __name__ == '__main__':
    sys.exit(main())
