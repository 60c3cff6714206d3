#!/bin/sh
# measure_corpus.sh OUT [sm_90] - which accesses the machine code of the corpus's kernels (tests/corpus) executes on this
# machine's GPU, by line of the source: OUT/sass_sm_90.csv, to be put into tests/corpus.
#
# Needs nvcc, ncu and python3; with nvdisasm lines are those of the innermost call in the file itself. Changes no setting
# of the GPU. OUT/raw keeps reports and listings, from which `python3 tools/corpus/sass.py OUT/raw OUT.csv` makes the
# table again.
set -u
cd "$(dirname "$0")/../.." || exit 1
[ $# -ge 1 ] || { sed -n '2,8s/^# //p' "$0" >&2; exit 2; }
out=$1 arch=${2:-sm_90}
PATH=$PATH:/usr/local/cuda/bin:/opt/nvidia/nsight-compute
raw=$out/raw
mkdir -p "$raw"
say() { echo "measure_corpus.sh: $*" >&2; }
for tool in nvcc ncu python3; do
    command -v $tool >/dev/null || { say "$tool is not there; it is needed"; exit 1; }
done
{ nvcc --version; ncu --version; nvidia-smi; } >"$raw/versions.txt" 2>&1

build() {
    if ! { python3 tools/corpus.py --main "$1" >"$raw/$2.cu" &&
        nvcc -arch="$arch" -lineinfo -o "$raw/$2" "$raw/$2.cu" 2>"$raw/$2.log" &&
        nvcc -cubin -arch="$arch" -lineinfo -o "$raw/$2.cubin" "$raw/$2.cu" 2>>"$raw/$2.log"; }; then
        say "$2: nvcc: $(grep -m 1 error "$raw/$2.log")"
        return 1
    fi
    "$raw/$2" >"$raw/$2.results" || say "$2: the program failed"
    if command -v nvdisasm >/dev/null; then
        nvdisasm -gi -c "$raw/$2.cubin" >"$raw/$2.nvdisasm" 2>"$raw/$2.nvdisasm.err" ||
            { nvdisasm -g -c "$raw/$2.cubin" >"$raw/$2.nvdisasm" 2>&1 || rm "$raw/$2.nvdisasm"; }
    elif command -v cuobjdump >/dev/null; then
        cuobjdump -sass "$raw/$2.cubin" >"$raw/$2.cuobjdump"
    fi
}

# The metrics alone take one pass or two; a version that does not know them has them in its section.
profile() {
    for what in '--metrics inst_executed,thread_inst_executed_true' '--section SourceCounters'; do
        # shellcheck disable=SC2086
        ncu -f -o "$raw/$1" --clock-control none --cache-control none $what --import-source yes \
            "$raw/$1" >"$raw/$1.ncu.log" 2>&1
        ncu --import "$raw/$1.ncu-rep" --page source --csv --print-source sass >"$raw/$1.sass.csv" 2>&1
        grep -qiE 'predicated-on|thread_inst_executed_true' "$raw/$1.sass.csv" && return 0
    done
    say "$1: no counts: $(grep -m 1 -i error "$raw/$1.ncu.log")"
    return 1
}

for source in tests/corpus/*.cu; do
    name=$(basename "$source" .cu)
    build "$source" "$name" &
done
wait
for source in tests/corpus/*.cu; do
    name=$(basename "$source" .cu)
    [ -x "$raw/$name" ] && profile "$name"
done
ncu --import "$raw/accumulate.ncu-rep" --page source --csv --print-source cuda,sass >"$raw/accumulate.both.csv" 2>&1
python3 tools/corpus/sass.py "$raw" "$out/sass_$arch.csv"
