#!/bin/sh
# cache_control.sh WARPLENS - does --cache-control mean one thing everywhere? A program reads the same megabyte
# twice: with caches that are kept the second launch finds it in L2, with caches that are emptied it does not.
set -u
warplens=$1
. "$(dirname "$0")/checks.sh"
case $warplens in /*) ;; *) warplens=$PWD/$warplens ;; esac
cd "$dir" || exit 1

cat >twice.cu <<'END'
#include <cuda_runtime.h>
__global__ void sum(const float *in, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i] + 1;
}
int main()
{
    float *in, *out;
    cudaMalloc(&in, 1 << 20);
    cudaMalloc(&out, 1 << 20);
    cudaMemset(in, 0, 1 << 20);
    for (int i = 0; i < 2; i++)
        sum<<<1024, 256>>>(in, out);
    return cudaDeviceSynchronize() != cudaSuccess;
}
END

"$warplens" trace record twice.cu --gpu h200 -o twice.wlt || fail "the program cannot be recorded"

# reads NAME WORDS...: what DRAM was read in both launches, as the command's JSON has it, into $read.
reads() {
    "$warplens" "$@" >out 2>err || fail "'$*' exits with $?: $(cat err)"
    read=$(tr ',{' '\n\n' <out | sed -n 's/.*"dram_read_sectors": *\([0-9]*\).*/\1/p' | sort -n | tail -n 1)
}
megabyte=32768 # in sectors
for command in 'run twice.cu --gpu h200 --format json' 'compare twice.wlt --gpu h200 --format json' \
               'advise twice.wlt --gpu h200 --format json'; do
    # shellcheck disable=SC2086
    reads $command
    [ "$read" = $megabyte ] || fail "'$command' reads $read sectors of DRAM, not $megabyte"
    # shellcheck disable=SC2086
    reads $command --cache-control none
    [ "$read" = $megabyte ] || fail "'$command' with kept caches reads $read sectors of DRAM, not $megabyte"
    # shellcheck disable=SC2086
    reads $command --cache-control all
    [ "$read" = $((2 * megabyte)) ] || fail "'$command' with emptied caches reads $read sectors of DRAM, not $((2 * megabyte))"
done

# It is said in every form, and results that differ in it are told apart.
"$warplens" run twice.wlt --cache-control all >out 2>err
grep -q '^  caches  *emptied before each launch (--cache-control all)$' out || fail "the text does not say so: $(cat out)"
"$warplens" run twice.wlt >out 2>err
grep -q 'cache-control' out && fail "the text speaks of what is usual"
"$warplens" run twice.wlt --format json >kept.json && "$warplens" run twice.wlt --format json --cache-control all >emptied.json
grep -q '"cache_control":"none"' kept.json && grep -q '"cache_control":"all"' emptied.json || fail "the JSON does not say so"
"$warplens" run twice.wlt --rules-only --cache-control all --format json | grep -q cache_control &&
    fail "rules alone have no caches"
"$warplens" run twice.wlt --cache-control all --format csv | grep -q 'cache_control=all' || fail "the CSV does not say so"
"$warplens" run twice.wlt --cache-control all --format html | grep -q 'cache_control=all' || fail "the page does not say so"
"$warplens" diff kept.json emptied.json >out || fail "diff exits with $?"
grep -q 'cache_control=all' out || fail "diff does not say it: $(cat out)"
"$warplens" gate twice.wlt --max dram_read_sectors=$megabyte >out || fail "gate exits with $?"
"$warplens" gate twice.wlt --max dram_read_sectors=$megabyte --cache-control all >out 2>err
[ $? -eq 3 ] || fail "gate does not empty the caches"
"$warplens" gate emptied.json --max dram_read_sectors=9999999 --cache-control all >out 2>err
[ $? -eq 2 ] || fail "a result takes --cache-control"
"$warplens" sweep offsetCopy -p n=1k --gpu h200 --list >one
"$warplens" sweep offsetCopy -p n=1k --gpu h200 --cache-control all >two
grep -q 'offsetCopy --gpu h200 -p n=1k --cache-control all' two || fail "a sweep's line does not say it: $(cat two)"
"$warplens" run twice.wlt --cache-control warm 2>err && fail "warm is taken"
grep -q -- '--cache-control warm: allowed is all or none$' err || fail "says: $(cat err)"

[ $failed -eq 0 ] && echo "cache control: fine"
exit $((failed > 0))
