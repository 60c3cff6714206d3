#!/bin/sh
# cu_bulk.sh WARPLENS BULK TENSORS - do programs with bulk copies, tensor maps and barriers in shared memory get right results, are they
# traced as what they are, and is what they do wrong said: on GPUs that have none, out of place, at barriers that wait for ever?
set -u
warplens=$(realpath "$1") bulk=$(realpath "$2") tensors=$(realpath "$3")
. "$(dirname "$0")/cu_copies.sh"

"$warplens" run "$bulk" --gpu h200 --format csv >out 2>err || { cat err; failed=1; }
expect "results of bulk copies" "by_ptx: right by_barrier: right by_warps: right by_half: right by_roles: right" \
    "$(grep ': [rw]' err out -h | head -5 | tr '\n' ' ' | sed 's/ $//')"
"$warplens" run "$tensors" --gpu h200 --format csv >out 2>err || { cat err; failed=1; }
expect "results of tensor copies" "scale: right looks: right add: right flags: right refusals: right" \
    "$(grep ': [rw]' err out -h | head -5 | tr '\n' ' ' | sed 's/ $//')"

# Six tiles of 2,048 bytes in each of three blocks, from 128-byte lines to such: 64 sectors and 16 requests each.
reports "$bulk" h200 by_ptx
expect "loads" 18 "$(counter bulk_loads)"
expect "sectors loaded" 1152 "$(counter bulk_load_sectors)"
expect "requests of loads" 288 "$(counter bulk_load_l2_requests)"
expect "words loaded" 9216 "$(counter bulk_load_bank_writes)"
expect "stores" 18 "$(counter bulk_stores)"
expect "sectors stored" 1152 "$(counter bulk_store_sectors)"
expect "global loads" 0 "$(counter global_load_requests)"
expect "what L2 is asked for" 1152 "$(counter l2_read_sectors)"
reports "$bulk" h200 by_barrier
expect "local stores of tokens" 0 "$(counter local_store_requests)"
reports "$bulk" h200 by_half
expect "reductions" 18 "$(counter bulk_reductions)"
expect "local stores" 0 "$(counter local_store_requests)"
expect "operations of rows" "bulk load,bulk store" "$(operations "$bulk" by_ptx)"
expect "operations of halves" "bulk reduction,load" "$(operations "$bulk" by_half)"
expect "sectors added" 1152 "$(counter bulk_reduction_sectors)"

# A matrix of 100 x 37 floats in boxes of 32 x 8, whose rows are loaded whole where some of them is inside, or else count as at a
# place that is aligned; stored is what is inside.
reports "$tensors" h200 scale
expect "boxes loaded" 20 "$(counter bulk_loads)"
expect "sectors of boxes loaded" $((20 * 8 * 4)) "$(counter bulk_load_sectors)"
expect "boxes stored" 20 "$(counter bulk_stores)"
expect "bytes stored" $((100 * 37 * 4)) "$(counter bulk_store_bytes)"

# Every form of a trace, and what of it can be checked.
"$warplens" trace record "$bulk" -k by_warps -o p.wlt >out 2>err || { cat err; failed=1; }
goes_round p
expect "copies" 18 "$(grep -c '^    bulk.copy' p.wlt.txt)"
expect "waits of consumers" 36 "$(grep -c '^    phase.wait .*bytes=2048' p.wlt.txt)"
expect "arrivals of consumers" 36 "$(grep -c '^    phase.arrive .*needs=32' p.wlt.txt)"
"$warplens" trace record "$tensors" -k scale -o t.wlt >out 2>err || { cat err; failed=1; }
goes_round t
grep -q ' box=32,8 at=96,32 size=100,37 pitch=4,448 ' t.wlt.txt || fail "a box in a trace"
refused_forms p.wlt 'or bulk copy'
for program in "$bulk" "$tensors"; do
    "$warplens" check "$program" --gpu h200 >out 2>err || { cat out; failed=1; }
    grep -q 'nothing found' out || { fail "findings"; cat out; }
done

# ---- GPUs that have none ----------------------------------------------------------------------------

"$warplens" run "$bulk" --gpu v100 -k by_ptx >out 2>err
grep -q 'in by_ptx: mbarrier.init.shared::cta.b64 needs sm_80 (Ampere) or later' err || { fail "v100"; cat err; }
"$warplens" run "$bulk" --gpu a100 -k by_ptx >out 2>err
grep -q 'in by_ptx: mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 needs sm_90 (Hopper) or later' err ||
    { fail "a100"; cat err; }
"$warplens" run p.wlt --gpu a100 >out 2>err && fail "a trace on an a100"
grep -q 'a bulk copy (cp.async.bulk): a100 is sm_80, and sm_90 (Hopper) is the first that has them' err ||
    { fail "a trace on an a100"; cat err; }

# ---- What programs do wrong ---------------------------------------------------------------------------

# wrong NAME MESSAGE [GPU]: a kernel's body on standard input, of a block of 32 threads, `p` 256 floats.
wrong() {
    { cat <<'HEAD'
#include <cuda/barrier>
#include <cuda/ptx>
namespace ptx = cuda::ptx;
__global__ void k(float *p)
{
    __shared__ alignas(128) float tile[64];
    __shared__ uint64_t b;
    const bool first = threadIdx.x == 0;
    if (first) ptx::mbarrier_init(&b, 1);
    __syncthreads();
HEAD
        cat
        echo '} int main() { float *p; cudaMalloc(&p, 1024); cudaMemset(p, 0, 1024); k<<<1, 32>>>(p);'
        echo 'return cudaDeviceSynchronize() != cudaSuccess; }'
    } >wrong.cu
    "$warplens" run wrong.cu --gpu "${3:-h200}" >out 2>err && fail "$1: status"
    grep -q "wrong.cu:[0-9]*: in k: $2" err || { fail "$1"; cat err; }
}
load='ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global,'
announce='ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &b,'
wait='while (!ptx::mbarrier_try_wait_parity(&b, 0)) ;'
wrong "bytes that nobody announces" "a wait at a barrier in shared memory to which 256 bytes have come that no expect_tx has announced: it would never end" <<END
if (first) { $load tile, p, 256, &b); ptx::mbarrier_arrive(&b); } $wait
END
wrong "bytes that do not come" "a wait at a barrier in shared memory that expects 64 bytes more than copies bring" <<END
if (first) { $announce 320); $load tile, p, 256, &b); } $wait
END
wrong "nobody arrives" "a wait at a barrier in shared memory at which only 0 of 1 have arrived: it would never end" <<END
$wait
END
wrong "too many arrivals" "2 arrivals at a barrier of which 1 of 1 are pending" <<END
if (first) ptx::mbarrier_arrive(&b, 2);
END
wrong "no barrier there" "a barrier in shared memory that is not initialised" <<END
if (first) $load tile, p, 256, (uint64_t *)tile + 4);
END
wrong "a barrier in global memory" "a barrier (mbarrier, cuda::barrier) that is not in shared memory" <<END
if (first) $load tile, p, 256, (uint64_t *)p);
END
wrong "a source out of place" "misaligned bulk copy: its source is no multiple of 16" <<END
if (first) $load tile, p + 1, 128, &b);
END
wrong "a destination out of place" "misaligned bulk copy: its destination is no multiple of 16" <<END
if (first) $load tile + 2, p, 128, &b);
END
wrong "a size" "a bulk copy of 100 bytes; allowed: multiples of 16" <<END
if (first) $load tile, p, 100, &b);
END
wrong "beyond shared memory" "shared-memory access of 512 bytes at tile + 0 bytes, outside every array: tile has 256 bytes" <<END
if (first) $load tile, p, 512, &b);
END
wrong "no shared memory" "a bulk copy whose destination is not in shared memory" <<END
if (first) $load p, p, 256, &b);
END
wrong "a map that is none" "a tensor copy by a tensor map that cuTensorMapEncodeTiled has not made" <<END
if (first) { const int at[] = {0, 0}; ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, tile, p, at, &b); }
END
wrong "a GPU without, in C++" "cp_async_bulk needs sm_90 or later: name such a GPU with --gpu" a100 <<END
if (first) $load tile, p, 256, &b);
END
wrong "bytes of a cuda::barrier without, in C++" "cuda::device::barrier_arrive_tx needs sm_90 or later" a100 <<END
__shared__ cuda::barrier<cuda::thread_scope_block> c; if (first) { init(&c, 1); cuda::device::barrier_arrive_tx(c, 1, 16); }
END
cat >changed.cu <<'END'
#include <cuda.h>
#include <cuda/barrier>
__global__ void k(const __grid_constant__ CUtensorMap map)
{
    __shared__ alignas(128) float tile[64];
    __shared__ cuda::barrier<cuda::thread_scope_block> b;
    if (threadIdx.x == 0) {
        init(&b, 1);
        cuda::device::experimental::cp_async_bulk_tensor_1d_global_to_shared(tile, &map, 0, b);
    }
}
int main(int argc, char **argv)
{
    float *p;
    CUtensorMap map;
    const cuuint64_t size[] = {64};
    const cuuint32_t box[] = {64}, one[] = {1};
    cudaMalloc(&p, 1 << 22);
    cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 1, p, size, nullptr, box, one, CU_TENSOR_MAP_INTERLEAVE_NONE,
                           CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    map.opaque[argv[1][0] - '0'] ^= 1 << 21;
    k<<<1, 1>>>(map);
    return cudaDeviceSynchronize() != cudaSuccess;
}
END
for word in 0 4 5; do
    "$warplens" run changed.cu --gpu h200 -- $word >out 2>err && fail "a changed map: status"
    grep -q 'changed.cu:[0-9]*: in k: a tensor copy by a tensor map whose bytes the program has changed, which are others here' err ||
        { fail "a changed map, word $word"; cat err; }
done
{
    cat <<'END'
__global__ void k(float *p)
{
    __shared__ alignas(128) float tile[64];
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes [%0], [%1, {%2, %2}], [%0];"
                 ::"r"(0), "l"(p), "r"(0));
}
int main() {}
END
} >refused.cu
"$warplens" run refused.cu --gpu h200 >out 2>err && fail "im2col: status"
grep -q "cannot run under warplens: this form of a bulk copy is not modelled" err || { fail "im2col"; cat err; }
exit $((failed > 0))
