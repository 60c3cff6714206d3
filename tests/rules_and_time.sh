#!/bin/sh
# rules_and_time.sh WARPLENS CXX - does a run with time count by the rules what a run without it counts, to the digit?
# Each row that a run of the rules alone gives is one of the run with time.
set -u
warplens=$(realpath "$1") || exit 1
export WARPLENS_CXX="$2"
. "$(dirname "$0")/checks.sh"
cd "$dir" || exit 1

# same WHAT ARGUMENTS...
same() {
    what=$1
    shift
    "$warplens" run "$@" --format csv >time.csv 2>err </dev/null || fail "$what, with time: $(cat err)"
    "$warplens" run "$@" --format csv --rules-only >rules.csv 2>err </dev/null || fail "$what, rules: $(cat err)"
    [ "$(wc -l <rules.csv)" -gt 20 ] || fail "$what: only $(wc -l <rules.csv) rows"
    grep -vxFf time.csv rules.csv >missing && fail "$what: with time there is no $(head -n 3 missing)"
}

same "the gallery" sharedAtomics,hashedLoad,hashedStore,reduce0,matrixMul,localSpill,constantPerLane,copyKernelLdg,readTexels \
    --gpu h200,k20x,m2050
cat >histogram.cu <<'END'
__global__ void k(int *out, const int *in)
{
    __shared__ unsigned counts[64];
    if (threadIdx.x < 64)
        counts[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&counts[in[threadIdx.x] & 63], 1u);
    __syncthreads();
    if (threadIdx.x < 64)
        atomicAdd(&out[threadIdx.x], (int)counts[threadIdx.x]);
}
int main()
{
    int *out, *in;
    cudaMalloc(&out, 4096);
    cudaMalloc(&in, 4096);
    cudaMemset(in, 0, 4096);
    k<<<4, 256>>>(out, in);
    cudaDeviceSynchronize();
}
END
if command -v "$2" >/dev/null; then
    same "a histogram" histogram.cu --gpu h200,k20x
    # 4 blocks of 8 warps, and lanes on one word count together.
    grep -q ',h200,,kernel,,shared_atomic_passes,passes,32$' time.csv || fail "increments of one word take more than a pass"
fi
exit $failed
