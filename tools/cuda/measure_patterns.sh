#!/bin/sh
# measure_patterns.sh EXPRESSIONS OUT.csv - builds access_patterns for the GPU of this machine, runs it
# under Nsight Compute and writes a tidy CSV: the expression's line in the file, counter, value; counters
# that are 0 are left out. Needs nvcc, ncu and python3, and
# the profiler's permission to read counters; changes no setting.
set -eu
here=$(cd "$(dirname "$0")/../.." && pwd)
expressions=$1 out=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
PATH=$PATH:/usr/local/cuda/bin
for file in "$here"/src/expression/*.c "$here/src/text/text.c" "$here/src/text/nearest.c"; do
    cc -std=gnu11 -O2 -c -I"$here/src" "$file" -o "$work/$(basename "$file" .c).o"
done
nvcc -arch=native -O2 -std=c++17 -diag-suppress 177,550 -I"$here/src" \
    "$here/tools/cuda/access_patterns.cu" "$work"/*.o -o "$work/access_patterns"

g=pipe_lsu_mem_global_op s=pipe_lsu_mem_shared_op
metrics=l1tex__t_requests_${g}_ld.sum,l1tex__t_requests_${g}_st.sum,l1tex__t_requests_${g}_atom.sum
metrics=$metrics,l1tex__t_sectors_${g}_ld.sum,l1tex__t_sectors_${g}_st.sum,l1tex__t_sectors_${g}_atom.sum
metrics=$metrics,l1tex__t_output_wavefronts_${g}_ld.sum,l1tex__t_output_wavefronts_${g}_st.sum
metrics=$metrics,l1tex__data_pipe_lsu_wavefronts.sum
metrics=$metrics,smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct
metrics=$metrics,smsp__sass_average_data_bytes_per_sector_mem_global_op_st.pct
metrics=$metrics,smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum
metrics=$metrics,smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum
metrics=$metrics,smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_atom.sum
metrics=$metrics,l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum
metrics=$metrics,l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum
metrics=$metrics,l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum
metrics=$metrics,l1tex__data_bank_conflicts_${s}_ld.sum,l1tex__data_bank_conflicts_${s}_st.sum
metrics=$metrics,l1tex__data_bank_conflicts_${s}_atom.sum

ncu --csv --page raw --clock-control none --metrics "$metrics" \
    "$work/access_patterns" "$expressions" >"$work/raw.csv" || { cat "$work/raw.csv"; exit 1; }
python3 - "$expressions" "$work/raw.csv" "$out" "$metrics" <<'EOF'
import csv, sys
lines = [(n, l) for n, l in enumerate(open(sys.argv[1]), 1) if l.strip() and not l.startswith('#')]
rows = list(csv.DictReader(l for l in open(sys.argv[2]) if l.startswith('"')))[1:]  # after the units
assert len(rows) == len(lines), (len(rows), len(lines))
with open(sys.argv[3], 'w') as out:
    out.write('line,counter,value\n')
    for (number, _), row in zip(lines, rows):
        for name in sys.argv[4].split(','):
            value = row.get(name, '').replace(',', '')
            if value not in ('', '0'):
                out.write('%d,%s,%s\n' % (number, name, value))
print('%d accesses measured' % len(lines))
EOF
