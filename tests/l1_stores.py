#!/usr/bin/env python3
"""l1_stores.py WARPLENS FOLDER - do loads find in L1 what an H200 found there of what the block had stored?

Of the launches of tools/cuda/l1_stores.cu, as validation/h200_l1_stores.csv has them, those of up to three warps, or of a word a thread in up to 32 KB,
must hit as often as measured; the others, whose stores come from many warps at once or to nearly all of the L1, to EACH_POINTS in each.
"""
import os
import sys

from program_launches import measured_rows, modelled

MEASURED = 'validation/h200_l1_stores.csv'
PROGRAM = 'tools/cuda/l1_stores.cu'
EACH_POINTS = 13
WARPS_EXACT = 3
L1_CONFLICTS = '1'  # lines between two sectors: which sets an H200 has for those is not known


def main():
    warplens, folder = sys.argv[1:3]
    rows = measured_rows(os.path.join(folder, MEASURED))
    hits = modelled(warplens, os.path.join(folder, PROGRAM), 'l1_global_hit_sectors')
    if len(hits) != len(rows):
        sys.exit('%d launches, not %d' % (len(hits), len(rows)))
    wrong = 0
    for row, hit in zip(rows, hits):
        measured, loads = int(row['l1_load_hits']), int(row['l1_load_sectors'])
        is_exact = row['lines'] != L1_CONFLICTS and (
            int(row['threads']) <= 32 * WARPS_EXACT or (row['store_words'] == '1' and row['rounds'] == '1'))
        apart = 100 * abs(hit - measured) / loads
        if apart > (0 if is_exact else EACH_POINTS):
            print('%s: %d hits, not %d' % (','.join(list(row.values())[:10]), hit, measured))
            wrong += 1
    return wrong > 0


if __name__ == '__main__':
    sys.exit(main())
