#!/bin/sh
# Runs the programs of validation/applications on a GPU and writes what ncu counts for each of their launches:
#
#   sh tools/cuda/measure_applications.sh OUT [sm_90] [part K/N] [half HALF]
#
# OUT/GPU_applications_HALF.csv, as in h200_applications_fit.csv (validation/applications/kinds.txt says which half a
# program is of), and OUT/applications.log. Called again, it goes on where it stopped: what is done is
# in WL_WORK (build/applications if not set). WL_MODES names some of cold, alone, warm (counters_applications.txt). part K/N takes every Nth kind, from the Kth on; half HALF those of that
# half alone. Needs nvcc, ncu and python3; changes no setting of the GPU.
set -u
cd "$(dirname "$0")/../.." || exit 1
[ $# -ge 1 ] || { sed -n '4,9s/^# *//p' "$0" >&2; exit 2; }
out=$1 arch=sm_90 part=1/1
shift
case ${1-} in sm_*) arch=$1; shift ;; esac
half=
if [ "${1-}" = part ]; then part=$2; shift 2; fi
if [ "${1-}" = half ]; then half=$2; fi
case $part in [1-9]*/[1-9]*) ;; *) echo "measure_applications.sh: part $part: K/N is meant, as in 1/2" >&2; exit 2 ;; esac
PATH=$PATH:/usr/local/cuda/bin
work=${WL_WORK:-build/applications}
mkdir -p "$out" "$work/bin" "$work/raw" || exit 1
began=$(date +%s)
say() { echo "$(($(date +%s) - began)) s: $*" | tee -a "$out/applications.log" >&2; }

programs=$(grep -v '^#' validation/applications/kinds.txt | awk -v part="$part" -v half="$half" \
    'BEGIN { split(part, p, "/") } half == "" || $2 == half { if (++n % p[2] == p[1] % p[2]) print $1 }')
WL_GPU=$(nvidia-smi --query-gpu=name --format=csv,noheader | head -n 1)
WL_DRIVER=$(nvidia-smi --query-gpu=driver_version --format=csv,noheader | head -n 1)
WL_TOOL="ncu $(ncu --version | sed -n 's/^Version \([0-9.]*\).*/\1/p')"
export WL_GPU WL_DRIVER WL_TOOL

say "compiling for $arch and checking, part $part"
cat >"$work/prepare.sh" <<'END'
program=$1 work=$2 arch=$3
grep "^$program " validation/applications/runs.txt | cut -d' ' -f2 >"$work/$program.sizes"
[ -e "$work/$program.passed" ] && exit
nvcc -O3 -lineinfo -arch="$arch" -o "$work/bin/$program" "validation/applications/$program.cu" >"$work/$program.said" 2>&1 ||
    exit 0
while read -r size; do
    "$work/bin/$program" "$size" 2 </dev/null >"$work/$program.said" 2>&1
    tail -n 1 "$work/$program.said" | grep -q '^PASSED' || { echo "size $size" >>"$work/$program.said"; exit 0; }
done <"$work/$program.sizes"
: >"$work/$program.passed"
END
for program in $programs; do
    echo "$program"
done | xargs -P "$(nproc)" -I{} sh "$work/prepare.sh" {} "$work" "$arch"
say "prepared"

# All sizes of a program under one ncu. The process of each says who it is before it becomes the program.
cat >"$work/sizes.sh" <<'END'
while read -r size; do
    sh -c 'echo "$$ $3" >>"$1"; exec "$2" "$3" "$4"' sh "$2" "$1" "$size" "$3" </dev/null || echo "size $size: status $?"
done <"$4"
END

# count MODE ROUNDS CACHE: raw/PROGRAM.MODE.csv, whole or not at all.
count() {
    to=$work/raw/$program.$1
    [ -s "$to.csv" ] && return
    metrics=$(sed -n "s/^$1 //p" tools/cuda/counters_applications.txt | paste -sd, -)
    : >"$to.pids"
    rm -f "$to.log"
    ncu --csv --page raw --print-units base --target-processes all --clock-control none --cache-control "$3" \
        --metrics "$metrics" --log-file "$to.log" \
        sh "$work/sizes.sh" "$work/bin/$program" "$to.pids" "$2" "$work/$program.sizes" >"$to.said" 2>&1
    status=$?
    passed=$(grep -c '^PASSED' "$to.said")
    if [ $status -ne 0 ] || [ "$passed" -ne "$(grep -c . "$work/$program.sizes")" ] || ! grep -q '^"' "$to.log"; then
        say "$program: $1: ncu's status $status, $passed sizes pass: $(tail -n 1 "$to.said") $(tail -n 1 "$to.log")"
        return
    fi
    mv "$to.log" "$to.csv"
}

measure() {
    [ -e "$work/$program.passed" ] || { say "$program: left out: $(tail -n 2 "$work/$program.said" | paste -sd' ')"; return; }
    for mode in ${WL_MODES:-cold alone warm}; do
        case $mode in warm) count warm 2 none ;; *) count "$mode" 1 all ;; esac
    done
    say "$program"
}

for program in $programs; do
    measure
    python3 tools/cuda/tidy_applications.py "$work/raw" "$out" || say "tidy_applications.py failed"
done
say "$(cat "$out"/*_applications_*.csv | wc -l) lines"
