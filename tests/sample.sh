#!/bin/sh
# sample.sh WARPLENS - does --sample leave blocks out where it may, keep what the rules count, and say what it did?
set -u
warplens=$(realpath "$1") || exit 1
tool=$(realpath "$(dirname "$0")/../tools/sampling_error.py")
. "$(dirname "$0")/checks.sh"
cd "$dir" || exit 1

# Of 20 runs of streams, tiles, reductions and atomics: every counter of the rules, in every line and array, is that of the
# whole run, and the time of the whole run is within the error that is stated, as docs/model.md says.
python3 "$tool" "$warplens" --times 0.25 --gpu 8800gtx,gtx280,m2090 --at-least 95 --runs-at-least 20 offsetCopy transpose transpose_naive \
    vec3d reduce3 atomicPattern copyFirst sharedStruct3 MatMulKernel copyKernelLdg texture2DRows >out || fail "against whole runs: $(cat out)"

# what FORMAT WORDS...: the output of a run.
what() {
    format=$1
    shift
    "$warplens" run "$@" --format "$format" >out 2>err </dev/null || fail "'$*': $(cat err)"
}

# whole REASON WORDS...: nothing of the run is left out, for that reason, and the report is otherwise what it is without.
whole() {
    reason=$1
    shift
    what json "$@" --sample
    grep -q "^\"sampled\":{\"blocks_left_out\":0,\"whole_since\":\"$reason\"},$" out || fail "'$*' is not whole for $reason"
    grep -v '^"sampled"' out >sample
    what json "$@"
    cmp -s out sample || fail "'$*' is another run with --sample"
}

whole few_waves offsetCopy -p n=64k --gpu gtx280
whole unlike_blocks hashedLoad -p n=1m --gpu gtx280
whole unsettled offsetCopy -p n=8m --gpu h200 # L2 has room for nearly all of it
whole timeline offsetCopy -p n=512k --gpu gtx280 --timeline

size="-p n=1m"
# shellcheck disable=SC2086
{
    what text offsetCopy $size --gpu gtx280 --sample
    grep -q '^  sampled  .* of 35 waves of blocks were modelled in time (--sample): +- .* % of the time$' out || fail "the text: $(cat out)"
    what csv offsetCopy $size --gpu gtx280 --sample
    [ "$(grep -c ',gtx280,[^,]*,sampled,,' out)" -eq 4 ] || fail "the CSV: $(grep sampled out)"
    what html offsetCopy $size --gpu gtx280 --sample --no-advice
    grep -q '<p>Sampled: nothing was left out (--sample), since a timeline is watched.</p>' out || fail "the page says nothing"
    "$warplens" compare offsetCopy $size --gpu gtx280,h200 --sample >out 2>err || fail "compare: $(cat err)"
    [ "$(grep -c 'offsetCopy on .*(--sample)' out)" -eq 2 ] || fail "compare says nothing: $(cat out)"
    "$warplens" sweep offsetCopy $size --gpu gtx280 --sample >out 2>err || fail "sweep: $(cat err)"
    grep -q '"args":"[^"]*--sample.*"sampled":{"blocks_left_out":[1-9]' out || fail "the line of a sweep says nothing"
    "$warplens" merge out >merged 2>err || fail "a sampled sweep cannot be merged: $(cat err)"
    what json offsetCopy $size --gpu gtx280
    grep -q sampled out && fail "a run that is none speaks of a sample"
}
"$warplens" run offsetCopy --sample --rules-only >out 2>err && fail "rules alone are sampled"
is_message '--sample --rules-only' 'leave --rules-only out'

# Launches that repeat a sampled one count with its figures, and its error. Managed arrays move while the model watches.
cat >again.cu <<'END'
#include <cuda_runtime.h>
__global__ void scale(const float *in, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = 2 * in[i];
}
int main(int argc, char **)
{
    const int n = 1 << 20;
    float *in, *out;
    if (argc > 1) {
        cudaMallocManaged(&in, n * sizeof *in);
        cudaMallocManaged(&out, n * sizeof *out);
    } else {
        cudaMalloc(&in, n * sizeof *in);
        cudaMalloc(&out, n * sizeof *out);
    }
    cudaMemset(in, 0, n * sizeof *in);
    for (int i = 0; i < (argc > 1 ? 1 : 5); i++)
        scale<<<n / 256, 256>>>(in, out);
    return cudaDeviceSynchronize() != cudaSuccess;
}
END
what text again.cu --gpu gtx280 --sample
grep -q '^  traced  *2 of 5 launches' out || fail "no launch repeats another: $(cat out)"
grep -q '^  sampled  *[0-9]* of 175 waves' out || fail "launches that repeat a sample: $(cat out)"
error=$(sed -n 's/.*+- \([0-9.]*\) % of the time$/\1/p' out)
what text again.cu --gpu gtx280 --sample --launch-count 1
[ "$error" = "$(sed -n 's/.*+- \([0-9.]*\) % of the time$/\1/p' out)" ] || fail "repeated, the error is $error % and not: $(grep sampled out)"
"$warplens" run again.cu --gpu k20x --sample --format json -- managed >out 2>err || fail "managed arrays: $(cat err)"
grep -q '"whole_since":"managed_memory"' out || fail "managed arrays are sampled"
exit $failed
