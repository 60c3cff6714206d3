#!/bin/sh
# measure_wgmma.sh OUTDIR - products of a warpgroup (wgmma) on a GPU of sm_90: every pattern of wgmma/patterns.cu, within some eight minutes.
# Leaves
#     check.csv                   each pattern with whether its result is right: the layouts of descriptors, registers and swizzles
#     probe.csv                   matrices that begin within a swizzle's pattern, by base offset
#     time.csv                    cycles of loops of products, of one warpgroup and of two on an SM
#     counters/GROUP.FORM.csv     of every pattern a launch of one product and one of five, with each counter of the group that is not 0
#                                 everywhere
#     counters.txt                which counters each group had, by the expressions below, of those that the profiler has
#     machine.txt, metrics.txt, log.txt, sass.txt.gz    GPU, driver, versions; the profiler's list; what was printed; machine code
# Needs nvcc, ncu and python3, and the profiler's permission to read counters; changes no setting. CHIP is the chip's name for ncu (gh100);
# PATTERNS a program that is built already.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=$1 chip=${CHIP:-gh100}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
PATH=$PATH:/usr/local/cuda/bin
mkdir -p "$out/counters"
: >"$out/log.txt"

say() {
    echo "$(date +%T) $*" | tee -a "$out/log.txt"
}

{
    nvidia-smi --query-gpu=name,driver_version,clocks.sm,clocks.max.sm --format=csv,noheader
    ncu --version | tail -n 1
    nvcc --version | tail -n 2
} >"$out/machine.txt" 2>&1 || true

patterns=${PATTERNS:-$work/patterns}
if [ -z "${PATTERNS:-}" ]; then
    say "building"
    nvcc -std=c++17 -O2 -gencode arch=compute_90a,code=sm_90a "$here/wgmma/patterns.cu" -o "$patterns" >"$work/nvcc.txt" 2>&1 ||
        { tail "$work/nvcc.txt"; exit 1; }
    grep -v C7519 "$work/nvcc.txt" >>"$out/log.txt" || true
fi

say "checking"
timeout 120 "$patterns" check >"$out/check.csv" 2>>"$out/log.txt" || say "check ended with status $?"
tail -n 2 "$out/check.csv" | tee -a "$out/log.txt"
say "timing"
timeout 120 "$patterns" time >"$out/time.csv" 2>>"$out/log.txt" || say "time ended with status $?"
say "probing"
timeout 60 "$patterns" probe >"$out/probe.csv" 2>>"$out/log.txt" || say "probe ended with status $?"

ncu --query-metrics --chip "$chip" >"$out/metrics.txt" 2>>"$out/log.txt" || ncu --query-metrics >"$out/metrics.txt" 2>>"$out/log.txt" || true

# Counters of the profiler whose names match the expression, as sums, with commas between.
counters_of() {
    awk '{ print $1 }' "$out/metrics.txt" | grep -E "^($1)\$" | sort -u | sed 's/$/.sum/' | paste -sd, -
}

# Group $1, of counters that match $2, of forms that begin with $3, for at most $4 seconds.
measure() {
    metrics=$(counters_of "$2")
    [ -n "$metrics" ] || { say "no counters for $1"; return; }
    grep -q "^$1 " "$out/counters.txt" || echo "$1 $metrics" >>"$out/counters.txt"
    timeout "$4" ncu --csv --page raw --print-units base --clock-control none --cache-control none --kernel-name regex:measured_ \
        --metrics "$metrics" "$patterns" measure "$work/launches.csv" "$3" >"$work/raw.csv" 2>"$work/err.txt" ||
        say "$1 $3 ended with status $?: $(tail -n 2 "$work/err.txt")"
    PYTHONDONTWRITEBYTECODE=1 python3 "$here/wgmma/tidy.py" "$work/launches.csv" "$work/raw.csv" >"$out/counters/$1.$3.csv" ||
        say "$1 $3: no table"
    say "$1 $3: $(wc -l <"$out/counters/$1.$3.csv") lines"
}

: >"$out/counters.txt"
for form in f32_f16_64 f32_tf32_64 f32_e4m3_64 f32_f16_8 f32_f16_128 f32_f16_256; do
    measure tensor '(sm|smsp)__(inst_executed|inst_executed_pipe_(tensor|uniform|lsu).*|inst_executed_op_.*|pipe_tensor.*|ops_path_tensor.*|cycles_active)' \
        "$form" 60
    measure banks 'l1tex__data_pipe_lsu_wavefronts(_mem_shared.*)?|l1tex__data_bank_(reads|writes|conflicts.*)|l1tex__data_(pipe|bank).*(gmma|mma|uma).*' \
        "$form" 60
done
measure sass 'smsp__sass_(inst_executed|l1tex)[a-z_]*(shared|mma)[a-z_]*' f32_f16_64 60
for form in f32_tf32_8 f32_tf32_256 f32_e4m3_8 f32_e4m3_256 s32_s8_64 f16_f16_64; do
    measure banks 'l1tex__data_pipe_lsu_wavefronts(_mem_shared.*)?|l1tex__data_bank_(reads|writes|conflicts.*)|l1tex__data_(pipe|bank).*(gmma|mma|uma).*' \
        "$form" 40
done
cuobjdump -sass "$patterns" 2>/dev/null | gzip >"$out/sass.txt.gz" || true
say "done"
