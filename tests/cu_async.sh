#!/bin/sh
# cu_async.sh WARPLENS PROGRAM - are asynchronous copies of a program traced as what they are, with groups and waits, refused by
# name on a GPU that has none and by forms of traces that cannot hold them, and loads and stores where CUDA falls back to these?
set -u
warplens=$(realpath "$1") program=$(realpath "$2")
. "$(dirname "$0")/cu_copies.sh"

# Two warps, five tiles, 16 bytes a lane: through the L1, past it.
reports "$program" h200 by_primitives
expect "copies" 10 "$(counter async_copies)"
expect "copies past the L1" 10 "$(counter async_copies_past_l1)"
expect "sectors" 160 "$(counter async_copy_sectors)"
expect "passes" 40 "$(counter async_copy_passes)"
expect "conflicts" 0 "$(counter async_copy_conflicts)"
expect "global loads" 0 "$(counter global_load_requests)"
expect "shared stores" 0 "$(counter shared_store_requests)"

expect "operations" "copy,store" "$(operations "$program" by_primitives)"

# Before sm_80 C++'s forms are loads and stores.
reports "$program" v100 by_primitives
expect "copies of a V100" 0 "$(counter async_copies)"
expect "loads of a V100" 10 "$(counter global_load_requests)"
expect "stores of a V100" 10 "$(counter shared_store_requests)"

"$warplens" run "$program" --gpu v100 -k by_ptx >out 2>err && fail "PTX on a V100"
line=$(grep -n 'cp.async.ca.shared.global.L2::64B' "$program" | cut -d : -f 1)
expect "refused" "warplens run: async_copies.cu:$line: an asynchronous copy (cp.async): v100 is sm_70, and sm_80 (Ampere) is\
 the first that has them" "$(grep 'warplens run' err)"

# Groups and waits, and every form of a trace.
"$warplens" trace record "$program" -k by_pipeline -o p.wlt >out 2>err || { cat err; failed=1; }
goes_round p
expect "commits" 10 "$(grep -c '^    copy.commit' p.wlt.txt)"
expect "waits for all but one" 8 "$(grep -c '^    copy.wait left=1' p.wlt.txt)"
expect "waits for all" 2 "$(grep -c '^    copy.wait left=0' p.wlt.txt)"
refused_forms p.wlt 'an asynchronous copy (cp.async)'

# A source size that nvcc knows to be the whole width is none, also as an operand; any other is one.
cat >sizes.cu <<'END'
__global__ void k(const float4 *g)
{
    __shared__ float4 s[32];
    const unsigned at = (unsigned)__cvta_generic_to_shared(&s[threadIdx.x]);
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(at), "l"(g + threadIdx.x), "n"(16));
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(at), "l"(g + threadIdx.x), "n"(8));
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(at), "l"(g + threadIdx.x), "r"(16));
    asm volatile("cp.async.wait_all;");
}
int main() { float4 *g; cudaMalloc(&g, 512); cudaMemset(g, 0, 512); k<<<1, 32>>>(g); return cudaDeviceSynchronize(); }
END
"$warplens" trace record sizes.cu -o sizes.wlt >out 2>err || { fail "sizes"; cat err; }
expect "sizes" "no yes yes" "$("$warplens" trace cat sizes.wlt | awk '/^ *copy.cg/ { print / bytes=/ ? "yes" : "no" }' | paste -sd ' ' -)"
exit $((failed > 0))
