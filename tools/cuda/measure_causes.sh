#!/bin/sh
# Where the time of the applications goes on a GPU, to look for causes: of each launch of a program's largest size the
# instructions by opcode and by pipe, and what warps wait for (averages of warps that wait, per instruction issued).
#
#   sh tools/cuda/measure_causes.sh OUT [sm_90] [PROGRAM...]
#
# OUT/causes.csv, ncu's raw page of all of them behind a column with the program. Programs that are not named: all of
# validation/applications/runs.txt. Needs nvcc and ncu; changes no setting of the GPU.
set -u
cd "$(dirname "$0")/../.." || exit 1
[ $# -ge 1 ] || { sed -n '2,8s/^# *//p' "$0" >&2; exit 2; }
out=$1 arch=sm_90
shift
case ${1-} in sm_*) arch=$1; shift ;; esac
PATH=$PATH:/usr/local/cuda/bin
work=${WL_WORK:-build/applications}
mkdir -p "$out" "$work/bin" "$work/causes" || exit 1
[ $# -gt 0 ] || set -- $(grep -v '^#' validation/applications/runs.txt | cut -d' ' -f1 | uniq)

waits=
for wait in barrier branch_resolving dispatch_stall drain imc_miss lg_throttle long_scoreboard math_pipe_throttle membar \
    mio_throttle no_instruction not_selected selected short_scoreboard sleeping tex_throttle wait; do
    waits=$waits,smsp__average_warps_issue_stalled_${wait}_per_issue_active.ratio
done
pipes=
for pipe in alu cbu fma fmaheavy fp16 fp64 lsu uniform xu; do
    pipes=$pipes,sm__inst_executed_pipe_$pipe.sum
done
metrics=gpu__time_duration.sum,sm__inst_executed.sum,smsp__issue_active.avg,smsp__cycles_active.avg
metrics=$metrics,smsp__warps_active.avg.per_cycle_active,launch__registers_per_thread,launch__occupancy_limit_registers
metrics=$metrics,launch__waves_per_multiprocessor,sass__inst_executed_per_opcode$pipes$waits

printf '%s\n' "$@" | xargs -P "$(nproc)" -I{} sh -c \
    '[ -x "$1/bin/$3" ] || nvcc -O3 -lineinfo -arch="$2" -o "$1/bin/$3" "validation/applications/$3.cu"' sh "$work" "$arch" {}
for program; do
    raw=$work/causes/$program
    size=$(sed -n "s/^$program //p" validation/applications/runs.txt | tail -n 1)
    [ -s "$raw.csv" ] || { ncu --csv --page raw --print-units base --print-metric-instances details --clock-control none \
        --metrics "$metrics" --log-file "$raw.log" "$work/bin/$program" "$size" </dev/null >"$raw.said" 2>&1 &&
        mv "$raw.log" "$raw.csv" || echo "$program: $(tail -n 1 "$raw.said")" >&2; }
    sed -n "s/^\"/\"$program\",\"/p" "$raw.csv" >>"$out/causes.csv"
done
