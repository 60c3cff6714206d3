#!/bin/sh
# Runs tests/cu/textures.cu on a GPU, which says by address mode and filter how many fetches differ from the guide's formulas as
# docs/model.md, 5.1 takes them; and writes what ncu counts for the kernels of tests/cu/texture_sectors.cu, which say what form
# sectors of CUDA arrays have, to OUT/textures.csv:
#
#   kernel,fetches,requests and sectors of textures,requests and sectors of surface loads and stores
#
# Their comments have what warplens counts. A metric that this ncu does not know stays empty.
#
#   sh tools/cuda/measure_textures.sh OUT [sm_90]
set -u
cd "$(dirname "$0")/../.." || exit 1
out=$1 arch=${2:-sm_90}
metrics=smsp__inst_executed_op_texture.sum
for op in texture surface_op_ld surface_op_st; do
    metrics=$metrics,l1tex__t_requests_pipe_tex_mem_$op.sum,l1tex__t_sectors_pipe_tex_mem_$op.sum
done
mkdir -p "$out"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for name in textures texture_sectors; do
    nvcc -arch="$arch" -lineinfo -I tests/cu -o "$work/$name" "tests/cu/$name.cu" 2>"$work/log" ||
        { echo "$name: nvcc: $(grep -m 1 error "$work/log")" >&2; exit 1; }
done
"$work/textures" | tee "$out/textures.txt"
"$work/texture_sectors" | grep -q PASSED || { echo "texture_sectors: does not pass" >&2; exit 1; }
ncu --csv --page raw --clock-control none --metrics "$metrics" "$work/texture_sectors" >"$work/csv" 2>"$work/log"
python3 - "$metrics" "$work/csv" <<'END_OF_PYTHON' >"$out/textures.csv"
import csv, sys
names = sys.argv[1].split(',')
with open(sys.argv[2]) as file:
    rows = list(csv.reader(line for line in file if line.startswith('"')))
kernel = rows[0].index('Kernel Name')
print('kernel,' + ','.join(names))
for row in rows[2:]:
    values = [row[rows[0].index(name)].replace(',', '') if name in rows[0] else '' for name in names]
    print(row[kernel].split('(')[0] + ',' + ','.join(values))
END_OF_PYTHON
