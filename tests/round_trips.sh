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
gpus=m2090,gtx1080ti,h200

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
    "$program" trace record "$kernel" -o "$work/trace.wlt" || { fail "$kernel: record"; continue; }
    accesses=$("$program" trace info "$work/trace.wlt" | sed -n 's/^ *\([0-9,]*\) warp accesses,.*/\1/p' | tr -d ,)
    [ "$accesses" -le "${RUN_MOST:-60000}" ] || continue
    counters "$kernel" full "$work/direct"
    counters "$work/trace.wlt" full "$work/again"
    same "$kernel, binary"
    [ "$accesses" -le "${CONVERT_MOST:-12000}" ] || continue
    for form in text csv; do
        "$program" trace convert "$work/trace.wlt" --format $form -o "$work/trace.$form" &&
            "$program" trace convert "$work/trace.$form" -o "$work/back.wlt" || fail "$kernel, $form"
        [ $form = csv ] || counters "$work/back.wlt" full "$work/again"
        [ $form = csv ] || same "$kernel, $form"
    done
    counters "$kernel" rules "$work/direct"
    rules "$work/direct" >"$work/rules"
    # Accel-Sim's traces cannot hold matrices.
    case $kernel in
    hgemm*) traces=$work/back.wlt ;;
    *)
        "$program" trace convert "$work/trace.wlt" --format accelsim -o "$work/accelsim" || fail "$kernel, accelsim"
        traces="$work/back.wlt $work/accelsim/kernelslist.g" ;;
    esac
    for trace in $traces; do
        counters "$trace" rules "$work/again"
        rules "$work/again" | cmp -s - "$work/rules" || fail "$kernel, ${trace##*/}: other counters"
    done
    rm -rf "$work/accelsim"
done
exit $failed
