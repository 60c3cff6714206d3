#!/bin/sh
# measure.sh RUNS OUT.csv [EXACT=1] - measures the gallery on this machine's GPU: builds the harness,
# checks every result, counts with the profiler of the GPU (ncu from sm_75 on, nvprof up to sm_70 where
# there is no ncu), takes times, and writes one tidy CSV.
#
# Needs nvcc, make and python3. Changes no setting of the GPU. Without the permission to read counters it
# says so and writes the times alone. WL_WORK names a folder to build in, to build only once.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
[ $# -ge 2 ] || { sed -n '2,8s/^# //p' "$0" >&2; exit 2; }
runs=$1 out=$2
shift 2
PATH=$PATH:/usr/local/cuda/bin
work=${WL_WORK:-$(mktemp -d)}
mkdir -p "$work"
say() { echo "measure.sh: $*" >&2; }
for tool in nvcc make python3; do
    command -v $tool >/dev/null || { say "$tool is not there; it is needed"; exit 1; }
done

make -s -C "$here" -j OUT="$work" "$@" >&2
harness=$work/harness
WL_GPU=$("$harness" device | sed -n 's/^name=//p')
sm=$("$harness" device | sed -n 's/^sm=//p')
WL_DRIVER=$(nvidia-smi --query-gpu=driver_version --format=csv,noheader 2>/dev/null | head -n 1)
export WL_GPU WL_DRIVER

# ncu_counts COUNTERS OUT: counts what the file names.
ncu_counts() {
    metrics=$(sed 's/#.*//' "$here/$1" | grep . | tr -d ' ' | paste -sd, -)
    ncu --csv --page raw --clock-control none --metrics "$metrics" \
        "$harness" run "$runs" "$work/launches.csv" >"$work/raw.csv" 2>"$work/ncu.err" &&
        ! grep -q ERR_NVGPUCTRPERM "$work/raw.csv" &&
        python3 "$here/tidy.py" ncu "$work/launches.csv" "$work/raw.csv" "$here/$1" >"$work/$2"
}

# Few counters apart: ncu leaves some 74,000 dirty sectors in L2 when it counts many, and DRAM gets them while the kernel runs.
count_with_ncu() {
    WL_TOOL="ncu $(ncu --version | sed -n 's/^Version \([0-9.]*\).*/\1/p')"
    export WL_TOOL
    ncu_counts counters_ncu.txt many.csv && ncu_counts counters_ncu_alone.txt alone.csv || return 1
    sed "1s/\$/,$(sed -n '1s/#counters //p' "$work/alone.csv")/" "$work/many.csv" >"$work/counts.csv"
    sed 1,2d "$work/alone.csv" >>"$work/counts.csv"
}

# One process a run, so that a counter's average belongs to the run's launches alone.
count_with_nvprof() {
    WL_TOOL="nvprof $(nvprof --version | sed -n 's/^Release version \([0-9.]*\).*/\1/p')"
    export WL_TOOL
    metrics=$(sed 's/#.*//' "$here/counters_nvprof.txt" | grep . | tr -d ' ' | paste -sd, -)
    mkdir -p "$work/nvprof"
    number=0
    head -n 1 "$work/times.csv" >"$work/launches.csv"
    while IFS= read -r run; do
        number=$((number + 1))
        case ${run%%#*} in '') continue ;; esac
        echo "$run" >"$work/run.txt"
        nvprof --csv --metrics "$metrics" --log-file "$work/nvprof/$number.csv" \
            "$harness" run "$work/run.txt" "$work/run.csv" || return 1
        sed -n "2,\$s/^1,/$number,/p" "$work/run.csv" >>"$work/launches.csv"
    done <"$runs"
    python3 "$here/tidy.py" nvprof "$work/launches.csv" "$work/nvprof" \
        "$here/counters_nvprof.txt" >"$work/counts.csv"
}

# Times first: the profiler sets no clocks, but it keeps the GPU from its usual pace.
"$harness" time "$runs" "$work/times.csv" || say "some runs failed: see above"
counted=no
if [ "$sm" -lt 70 ] || { [ "$sm" -eq 70 ] && ! command -v ncu >/dev/null; }; then
    command -v nvprof >/dev/null && count_with_nvprof && counted=yes
elif command -v ncu >/dev/null; then
    count_with_ncu && counted=yes
fi
if [ $counted = no ]; then
    say "no counters: the profiler is missing, or this user may not read the GPU's counters."
    tail -n 5 "$work/raw.csv" "$work/ncu.err" >&2 2>/dev/null || true
    say "An administrator can allow it (NVIDIA's ERR_NVGPUCTRPERM page tells how), or run this as root."
    say "$out has the times alone; \`warplens validate\` takes it as it is."
    : >"$work/counts.csv"
fi
WL_TOOL="events, median of 20" python3 "$here/tidy.py" times "$work/times.csv" >"$work/tidy_times.csv"
{
    cat "$work/counts.csv"
    if [ -s "$work/counts.csv" ]; then
        sed 1d "$work/tidy_times.csv" | sed 1d
    else
        cat "$work/tidy_times.csv"
    fi
} | sed '1s/$/,time_us/' | sed '1s/^#counters time_us,time_us$/#counters time_us/' >"$out"
say "$(wc -l <"$out") lines in $out"
