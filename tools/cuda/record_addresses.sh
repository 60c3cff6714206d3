#!/bin/sh
# record_addresses.sh OUT_DIR [NAME=VALUE...] - records on this machine's GPU which addresses the
# gallery's warps access in the launches of validation/addresses/runs.txt. Writes OUT_DIR/addresses.txt
# (validation/addresses/h200.txt is one) and OUT_DIR/record.log. NAME=VALUE go to make.
#
# Needs nvcc, make and python3; changes no setting of the GPU. A topic that cannot be built and a run that
# fails are left out and named, and the exit status is then 1. WL_WORK names a folder to build in.
set -u
here=$(cd "$(dirname "$0")" && pwd)
[ $# -ge 1 ] || { sed -n '2,8s/^# *//p' "$0" >&2; exit 2; }
out=$1
shift
PATH=$PATH:/usr/local/cuda/bin
runs=$here/../../validation/addresses/runs.txt
work=${WL_WORK:-$(mktemp -d)}
mkdir -p "$out" "$work" || exit 1
log=$out/record.log text=$out/addresses.txt status=0
: >"$log"
say() { echo "record_addresses.sh: $*" | tee -a "$log" >&2; }
for tool in nvcc make python3 timeout; do
    command -v $tool >/dev/null || { say "$tool is not there; it is needed"; exit 1; }
done
python3 "$here/test_instrument_ptx.py" || { say "instrument_ptx.py fails its test"; exit 1; }

build() { make -k -C "$here" -j RECORD=1 OUT="$work" "$@" >>"$log" 2>&1; }

# Without the topics that have no object file.
build_what_can_be() {
    good=
    for file in $(grep -l '^GALLERY_TOPIC(' "$here"/../../traces/*.c); do
        topic=$(basename "$file" .c)
        if [ -e "$work/$topic.o" ]; then good="$good $topic"; else say "not built: $topic"; fi
    done
    rm -f "$work/list.cu" "$work/recorder_sites.cu"
    build "$@" "topics=$good"
}

if ! build "$@"; then
    status=1
    say "the build failed; its first errors are:"
    grep -n -i -m 5 'error\|failed' "$log" >&2
    build_what_can_be "$@" || { say "no harness: see $log"; exit 1; }
fi

"$work/harness" device >"$work/device.txt" 2>>"$log" || { say "no GPU to record on: $(tail -n 1 "$log")"; exit 1; }

# One process for all runs; when one of them fails, a process each.
record_each() {
    number=0
    while IFS= read -r run; do
        number=$((number + 1))
        case ${run%%#*} in '') continue ;; esac
        echo "$run" >"$work/run.txt"
        if timeout 60 "$work/harness" record "$work/run.txt" "$work/run.out" >>"$log" 2>&1; then
            cat "$work/run.out" >>"$work/all.out"
        else
            say "line $number of runs.txt failed: $run"
        fi
    done <"$runs"
}

if ! timeout 300 "$work/harness" record "$runs" "$work/all.out" >>"$log" 2>&1; then
    status=1
    say "a run failed, recording one by one: $(tail -n 1 "$log")"
    : >"$work/all.out"
    record_each
fi
{
    echo "# warplens addresses 1"
    echo "# blocks 0 and 1 of a launch, warps 0 to 3 of a block"
    echo "# $(tr '\n' ' ' <"$work/device.txt")nvcc $(sed -n 's/^EXACT_FLAGS := //p' "$here/Makefile")"
    cat "$work/all.out"
} >"$text"
say "$(grep -c '^run ' "$text") runs of $(sed 's/#.*//' "$runs" | grep -c .), $(wc -c <"$text") bytes in $text"
exit $status
