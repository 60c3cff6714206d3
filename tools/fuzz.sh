#!/bin/sh
# Builds the fuzz targets (clang, libFuzzer, address and undefined-behaviour sanitizers) and runs each:
#   sh tools/fuzz.sh [-r EXECUTIONS] [-m] [TARGET ...]
# -r: executions of each target, 1000000 unless given; -m: keeps inputs of up to 512 bytes that reach
# something new in tests/fuzz/corpus. Ends with a table; inputs that crash a target, take too long or
# too much memory stay in build-fuzz/findings.
set -u
cd "$(dirname "$0")/.." || exit 1
build=${WARPLENS_FUZZ_BUILD:-build-fuzz}
runs=1000000
keep=no
while getopts r:m option; do
    case $option in
    r) runs=$OPTARG ;;
    m) keep=yes ;;
    *) exit 2 ;;
    esac
done
shift $((OPTIND - 1))
if [ $# -eq 0 ]; then
    for file in tests/fuzz/fuzz_*.c; do
        name=$(basename "$file" .c)
        [ "$name" = fuzz_trace ] || set -- "$@" "${name#fuzz_}"
    done
fi

# Frame pointers keep the stacks of allocations cheap.
flags='-fsanitize=fuzzer-no-link -fno-omit-frame-pointer -fno-sanitize-recover=all'
if [ ! -f "$build/build.ninja" ]; then
    CC=clang meson setup "$build" . -Dfuzz=true -Dtests=disabled -Db_lundef=false \
        -Db_sanitize=address,undefined "-Dc_args=$flags" >/dev/null || exit 1
fi
for name in "$@"; do
    ninja -C "$build" "tests/fuzz/fuzz_$name" >"$build/log" 2>&1 || { cat "$build/log"; exit 1; }
done
mkdir -p "$build/findings"

# The value of a statistic that libFuzzer prints at its end.
statistic() {
    sed -n "s/^stat::$1: *//p" "$build/log-$name"
}

# "cov:" of the last line of a kind.
coverage() {
    sed -n "s/^#.*$1 *cov: \([0-9]*\) .*/\1/p" "$build/log-$name" | tail -n 1
}

table="$build/table"
echo "target | executions | inputs | coverage | new coverage | peak MB | findings | seconds" >"$table"
for name in "$@"; do
    corpus=tests/fuzz/corpus/$name
    work=$build/corpus-$name
    mkdir -p "$work"
    rm -f "$build/findings/$name-"*
    begin=$(date +%s)
    options=
    [ "$name" = engine ] && options='-entropic=0 -max_len=256' # half of the time, and small streams
    ASAN_OPTIONS=quarantine_size_mb=1:malloc_context_size=8:allocator_may_return_null=1 \
        nice "$build/tests/fuzz/fuzz_$name" -runs="$runs" -seed=1 -max_len=8192 -timeout=10 \
        -rss_limit_mb=128 -malloc_limit_mb=64 -print_final_stats=1 -dict=tests/fuzz/words.dict \
        -artifact_prefix="$build/findings/$name-" $options "$work" "$corpus" >"$build/log-$name" 2>&1
    seconds=$(($(date +%s) - begin))
    first=$(coverage INITED)
    last=$(coverage ".*")
    findings=$(find "$build/findings" -name "$name-*" | wc -l)
    echo "$name | $(statistic number_of_executed_units) |" \
        "$(find "$corpus" -type f | wc -l) + $(find "$work" -type f | wc -l) | ${last:-0} |" \
        "$((${last:-0} - ${first:-0})) | $(statistic peak_rss_mb) | $findings | $seconds" >>"$table"
    if [ "$keep" = yes ]; then
        "$build/tests/fuzz/fuzz_$name" -merge=1 -use_counters=0 -max_len=512 "$corpus" "$work" \
            >>"$build/log-$name" 2>&1
    fi
done
cat "$table"
[ -z "$(find "$build/findings" -type f)" ]
