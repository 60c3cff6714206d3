#!/bin/sh
# measure_fragments.sh OUTDIR ARCH - builds fragment_patterns (ARCH: sm_90a), executes every pattern once to see
# that the right data moves, then a group after another under Nsight Compute, within some eight minutes. Leaves
#     patterns.txt, patterns.csv    the patterns; each with the outcome of its check (0 is right)
#     tables/GROUP.csv              line of patterns.txt, the pattern, what each counter reads that is not 0 everywhere
#     machine.txt                   GPU and driver, profiler and compiler
#     counters.txt                  which counters each group had: those of fragments/counters.txt that the profiler knows
#     metrics.txt, log.txt          the profiler's list; what was printed
#     raw.tar.gz                    the profiler's pages, and the machine code of the kernels where cuobjdump is
# Needs nvcc, ncu and python3, and the profiler's permission to read counters; changes no setting. CHIP is the
# chip's name for ncu (gh100).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=$1 arch=$2 chip=${CHIP:-gh100}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
PATH=$PATH:/usr/local/cuda/bin
mkdir -p "$out" "$work/raw"
: >"$out/log.txt"

say() {
    echo "$(date +%T) $*" | tee -a "$out/log.txt"
}

build() {
    for file in "$here"/fragments/*.cu; do
        nvcc -std=c++17 -O2 -arch="$arch" -c "$file" -o "$work/$(basename "$file" .cu).o" &
        pids="${pids:-} $!"
    done
    for pid in $pids; do
        wait "$pid"
    done
    nvcc -arch="$arch" "$work"/*.o -o "$work/fragment_patterns"
}

# Those of the counters of group $1 that the profiler knows, with commas between.
counters_of() {
    awk -v group="$1" 'index(group, $1) == 1 && !/^#/ { print $2 }' "$here/fragments/counters.txt" |
        while read -r counter; do
            if [ ! -s "$out/metrics.txt" ] || grep -q "^${counter%.*}[^a-z_0-9]" "$out/metrics.txt"; then
                echo "$counter"
            else
                say "no counter $counter" >&2
            fi
        done | paste -sd, -
}

# Group $1 for at most $2 seconds of launches, with the profiler's cache control $3.
measure() {
    metrics=$(counters_of "$1")
    echo "$1 $metrics" >>"$out/counters.txt"
    timeout $(($2 + 60)) ncu --csv --page raw --print-units base --clock-control none --cache-control "$3" --kernel-name regex:measured_ \
        --metrics "$metrics" "$work/fragment_patterns" measure "$work/good.txt" "$work/raw/$1.launches.csv" "$1" "$2" \
        >"$work/raw/$1.csv" 2>"$work/raw/$1.err" || say "group $1 ended with status $?: $(tail -n 2 "$work/raw/$1.err")"
    say "$1: $(grep -h 'patterns executed' "$work/raw/$1.csv" || echo 'nothing measured')"
}

{
    nvidia-smi --query-gpu=name,driver_version --format=csv,noheader
    ncu --version | tail -n 1
    nvcc --version | tail -n 2
} >"$out/machine.txt" 2>&1 || true
ncu --query-metrics --chip "$chip" >"$out/metrics.txt" 2>>"$out/log.txt" || : >"$out/metrics.txt"
grep -q '^l1tex__' "$out/metrics.txt" || : >"$out/metrics.txt"
PYTHONDONTWRITEBYTECODE=1 python3 "$here/fragments/make_patterns.py" >"$out/patterns.txt"
: >"$out/counters.txt"
say "building for $arch"
build
say "checking"
"$work/fragment_patterns" check "$out/patterns.txt" "$out/patterns.csv" >>"$out/log.txt" 2>&1 || true
tail -n 1 "$out/log.txt"
python3 "$here/fragments/tidy.py" good "$out/patterns.txt" "$out/patterns.csv" >"$work/good.txt"
# What costs most of the time comes first; the hints show past the L2 alone, so its lines must be out of it.
while read -r group seconds cache; do
    measure "$group" "$seconds" "$cache"
done <<'EOF'
cp.async.cg.16 45 none
cp.async.ca.16 35 none
cp.async.ca.8 25 none
cp.async.ca.4 25 none
cp.async.bulk 50 none
tensor.load 80 none
tensor.store 60 none
cp.async.hints 15 all
ldmatrix 20 none
stmatrix 15 none
wmma 15 none
cluster 20 none
reductions 15 none
EOF
python3 "$here/fragments/tidy.py" tables "$out/counters.txt" "$work/raw" "$out/tables" 2>>"$out/log.txt" || say "no tables"
cuobjdump -sass "$work/fragment_patterns" >"$work/raw/sass.txt" 2>/dev/null || true
tar -C "$work" -czf "$out/raw.tar.gz" raw
say "done"
