#!/bin/sh
# cu_fmad.sh WARPLENS COMPILER - is a * b + c rounded twice, and once where --fmad yes asks for it?
set -u
warplens=$(realpath "$1") || exit 1
export WARPLENS_CXX="$2"
command -v "$2" >/dev/null || exit 77
. "$(dirname "$0")/checks.sh"
cd "$dir" || exit 1
# The square of 1 + 2^-12 is 1 + 2^-11 + 2^-24; its last bit is lost where the product is rounded.
cat >sum.cu <<'END_OF_PROGRAM'
#include <cstdio>
__global__ void sum(const float *in, float *out) { out[0] = in[0] * in[1] + in[2]; }
int main()
{
    float numbers[3] = {1 + 0x1p-12f, 1 + 0x1p-12f, -1}, *in, *out, result;
    cudaMalloc(&in, sizeof numbers), cudaMalloc(&out, sizeof *out);
    cudaMemcpy(in, numbers, sizeof numbers, cudaMemcpyHostToDevice);
    sum<<<1, 1>>>(in, out);
    cudaMemcpy(&result, out, sizeof result, cudaMemcpyDeviceToHost);
    printf("%s\n", result == 0x1p-11f ? "twice" : result == 0x1p-11f + 0x1p-24f ? "once" : "wrong");
}
END_OF_PROGRAM
# check EXPECTED OPTIONS...
check() {
    expected=$1
    shift
    "$warplens" run sum.cu --rules-only "$@" >out 2>err
    [ "$(head -n 1 out)" = "$expected" ] || { echo "FAILED: $* is not $expected"; cat out err; failed=1; }
}
check twice
check twice --fmad no
if [ "$(uname -m)" != x86_64 ] || grep -q '^flags.* fma' /proc/cpuinfo; then
    check once --fmad yes
else
    "$warplens" run sum.cu --fmad yes 2>err && failed=1
    grep -q 'no instruction for it (FMA)' err || { echo "FAILED: no FMA, and no message"; failed=1; }
fi
"$warplens" run sum.cu --fmad maybe 2>err && failed=1
grep -q -x 'warplens run: --fmad maybe: allowed is yes or no' err || { echo "FAILED: --fmad maybe"; cat err; failed=1; }
exit $failed
