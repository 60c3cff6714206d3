#!/bin/sh
# cu_cub.sh WARPLENS FOLDER PROGRAMS [INCLUDE] - do programs with CUB run, with the headers that there are (or those of the
# folder INCLUDE), and are its kernels traced as those of the program are? Without any, does the message say what to install?
set -u
warplens=$(realpath "$1") folder=$(realpath "$2") programs=$3 include=${4:-}
. "$(dirname "$0")/checks.sh"
cd "$dir" || exit 1
needs_headers CUB cub/util_type.cuh libcub-dev "$include"

for program in $programs; do
    "$warplens" run "$folder/$program.cu" -I "$folder/../cu" ${include:+-I "$include"} --format csv -o counts >out 2>err ||
        { echo "FAILED: $program"; cat err; failed=1; }
    [ "$(head -n 1 out)" = PASSED ] || { echo "FAILED: results of $program"; head -n 3 out; failed=1; }
    [ -s err ] && { echo "FAILED: messages of $program"; cat err; failed=1; }
    # A thread's items are in registers, as on a GPU: loops of CUB's are unrolled.
    [ "$program" != blocks ] || grep -q ',kernel,,local_store_requests,accesses,0' counts ||
        { echo "FAILED: $program: local memory"; grep ',kernel,,local_' counts; failed=1; }
    grep -q not_traced counts && { echo "FAILED: $program: calls that are not traced"; failed=1; }
done

# One reduction, as CUB makes it: a store for each warp's sum, and what one thread adds up.
cat >sum.cu <<'END'
#include <cub/block/block_reduce.cuh>
__global__ void sum(const int *in, int *out)
{
    typedef cub::BlockReduce<int, 128> Reduce;
    __shared__ typename Reduce::TempStorage storage;
    const int all = Reduce(storage).Sum(in[blockIdx.x * 128 + threadIdx.x]);
    if (threadIdx.x == 0)
        out[blockIdx.x] = all;
}
int main()
{
    int *in, *out;
    cudaMalloc(&in, 2048);
    cudaMalloc(&out, 16);
    cudaMemset(in, 1, 2048);
    sum<<<4, 128>>>(in, out);
    return cudaDeviceSynchronize();
}
END
"$warplens" run sum.cu ${include:+-I "$include"} --format csv >out 2>err || { cat err; failed=1; }
for count in global_load_requests,accesses,16 global_store_requests,accesses,4 shared_store_requests,accesses,16 \
    local_load_requests,accesses,0; do
    grep -q ",kernel,,$count\$" out || { echo "FAILED: $count"; grep ',kernel,,.*requests' out; failed=1; }
done

# PTX of a library that cannot run is refused where it is reached, and only there.
mkdir -p own/cub
cat >own/cub/part.cuh <<'END'
#pragma GCC system_header
namespace cub
{
__device__ inline void strange() { asm volatile("discard.global.L2 [%0], 128;" ::"l"(0L)); }
} // namespace cub
END
cat >reached.cu <<'END'
#include <cub/part.cuh>
__global__ void reaches(int does)
{
    if (does)
        cub::strange();
}
int main(int argc, char **)
{
    reaches<<<1, 32>>>(argc > 1);
    return cudaDeviceSynchronize() != cudaSuccess;
}
END
"$warplens" run reached.cu -I own >out 2>err || { echo "FAILED: not reached"; cat err; failed=1; }
"$warplens" run reached.cu -I own -- yes >out 2>err && { echo "FAILED: reached"; failed=1; }
grep -q "part.cuh:4: in reaches: the PTX instruction 'discard.global.L2' cannot run under warplens" err ||
    { echo "FAILED: message of what is reached"; cat err; failed=1; }
exit $failed
