#!/bin/sh
# Runs the sample programs (tests/cu/samples, examples/cuda) and tests/cub/blocks.cu on a GPU as nvcc compiles them, checks that
# they pass, and writes what ncu counts for each of their launches to OUT/programs.csv:
#
#   program,launch,kernel,load requests,load sectors,store requests,store sectors,shared load and store passes
#
#   sh tools/cuda/measure_programs.sh OUT [sm_90]
set -u
cd "$(dirname "$0")/../.." || exit 1
out=$1 arch=${2:-sm_90}
metrics=l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum,l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum
metrics=$metrics,l1tex__t_requests_pipe_lsu_mem_global_op_st.sum,l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum
metrics=$metrics,smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum
metrics=$metrics,smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum
mkdir -p "$out"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
echo "program,launch,kernel,$metrics" >"$out/programs.csv"
for source in tests/cu/samples/*.cu examples/cuda/transpose.cu tests/cub/blocks.cu; do
    name=${source#tests/cu/samples/}
    nvcc -arch="$arch" -lineinfo -I tests/cu -o "$work/program" "$source" 2>"$work/log" ||
        { echo "$name: nvcc: $(grep -m 1 error "$work/log")" >&2; continue; }
    "$work/program" | tail -n 1 | grep -q PASSED || { echo "$name: does not pass" >&2; continue; }
    ncu --csv --page raw --clock-control none --metrics $metrics "$work/program" >"$work/csv" 2>&1
    python3 - "$name" "$metrics" "$work/csv" <<'END' >>"$out/programs.csv"
import csv, sys
name, metrics, path = sys.argv[1:]
with open(path) as file:
    rows = list(csv.reader(line for line in file if line.startswith('"')))
columns = [rows[0].index(metric) for metric in metrics.split(',')]
kernel = rows[0].index('Kernel Name')
for launch, row in enumerate(rows[2:], 1):
    values = ','.join(row[c].replace(',', '') for c in columns)
    print('%s,%d,%s,%s' % (name, launch, row[kernel].split('(')[0].replace(',', ';'), values))
END
done
