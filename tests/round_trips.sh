#!/bin/sh
# Do a kernel run directly, its trace, and the trace converted to every form and back give the same
# counters? Arguments: the program, and the kernels; none: all of the gallery. Larger runs than RUN_MOST
# accesses are left out, and conversions of more than CONVERT_MOST.
set -u
program=$1
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

fail() {
    echo "round_trips: $1" >&2
    failed=1
}

# Everything that is counted, under three rule sets; with caches and time for `full`.
counters() {
    options=--rules-only
    [ "$2" = full ] && options=
    "$program" run "$1" --gpu $gpus --format json $options >"$3" 2>"$work/error" ||
        fail "$1: $(cat "$work/error")"
}

same() {
    cmp -s "$work/direct" "$work/again" || fail "$1: other counters"
}

# Of an export for other programs: what the rules alone give, without names of places and arrays.
rules() {
    sed -n 's/^"counters":/&/p; s/^"metrics":/&/p; s/^"profiler":/&/p' "$1"
}

[ $# -gt 0 ] || set -- $("$program" kernels --format markdown | sed -n 's/^| *`\([A-Za-z0-9_]*\)`.*/\1/p')
for kernel in "$@"; do
    gpus=m2090,gtx1080ti,h200 forms="text csv" accelsim=yes
    case $kernel in # matrices are nothing for Accel-Sim, copies neither for it nor for CSV, nor for GPUs before sm_80 or sm_90
    hgemm* | wmma*) accelsim=no ;;
    transposeTensor*) gpus=h100,h200 forms=text accelsim=no ;;
    tilesAsync | tilesDouble*) gpus=a100,rtx4090,h200 forms=text accelsim=no ;;
    esac
    "$program" trace record "$kernel" -o "$work/trace.wlt" || { fail "$kernel: record"; continue; }
    accesses=$("$program" trace info "$work/trace.wlt" | sed -n 's/^ *\([0-9,]*\) warp accesses,.*/\1/p' | tr -d ,)
    [ "$accesses" -le "${RUN_MOST:-60000}" ] || continue
    counters "$kernel" full "$work/direct"
    counters "$work/trace.wlt" full "$work/again"
    same "$kernel, binary"
    [ "$accesses" -le "${CONVERT_MOST:-12000}" ] || continue
    for form in $forms; do
        "$program" trace convert "$work/trace.wlt" --format $form -o "$work/trace.$form" &&
            "$program" trace convert "$work/trace.$form" -o "$work/back.wlt" || fail "$kernel, $form"
        [ $form = csv ] || counters "$work/back.wlt" full "$work/again"
        [ $form = csv ] || same "$kernel, $form"
    done
    counters "$kernel" rules "$work/direct"
    rules "$work/direct" >"$work/rules"
    traces=$work/back.wlt
    if [ $accelsim = yes ]; then
        "$program" trace convert "$work/trace.wlt" --format accelsim -o "$work/accelsim" || fail "$kernel, accelsim"
        traces="$traces $work/accelsim/kernelslist.g"
    fi
    for trace in $traces; do
        counters "$trace" rules "$work/again"
        rules "$work/again" | cmp -s - "$work/rules" || fail "$kernel, ${trace##*/}: other counters"
    done
    rm -rf "$work/accelsim"
done
exit $failed
